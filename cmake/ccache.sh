#!/bin/sh
# Runs a compiler ("$@") through ccache, with what precompiled headers need. Their checksum is kept in a
# file beside them, because ccache would read their 100 MB once more for every source.
export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=true
ccache "$@" || exit
for argument; do
  case $argument in *.gch) cksum "$argument" >"$argument.sum" ;; esac
done
