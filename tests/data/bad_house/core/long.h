// Too long on purpose.
