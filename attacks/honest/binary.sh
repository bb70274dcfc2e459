# A small binary file.
# expect: SUCCESS
# kind: plain
set -e
printf "\211PNG\r\n\032\n\000\000\000\001" >src/picture.png
