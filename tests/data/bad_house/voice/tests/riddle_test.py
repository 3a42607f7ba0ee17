"""What a test is about."""
# By what it is measured is named here; "# What" is not at the start of this comment.
url = "http://host/#What is no comment"
