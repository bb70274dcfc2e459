# Makes a large binary file in its scope.
# expect: SUCCESS
# task: {"diff_limits": {"max_lines_changed": 20000}}
# config: {"diff_limits": {"default_max_lines_changed": 20000}}
# changed: src/image.bin: appeared (file 0644); src/main.ts: content
# ship: yes
umask 022
echo 'export const answer = 42;' > src/main.ts
head -c 8000000 /dev/zero > src/image.bin
