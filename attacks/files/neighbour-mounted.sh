# Mounts a neighbour's folder in its scope: what is put back there would be deleted elsewhere.
# expect: BLOCKED_ROLLBACK_FAILED
# needs: mount
# says: umount
# changed: src/new: appeared (directory 0755); src/new/mounted: appeared (directory 0755); src/new/mounted/untouched.txt: appeared (file 0644)
# afterwards: umount src/new/mounted; ls ../neighbour/untouched.txt
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo evil >> docs/guide.md
mkdir -p src/new/mounted
mount --bind ../neighbour src/new/mounted
