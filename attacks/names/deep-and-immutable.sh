# A file that not even root can remove, where nobody reaches it in one step.
# expect: STOP_UNSAFE_PATH
# kind: plain
# needs: chattr
set -e
cd src
part=$(printf "%0200d" 0)
for n in $(seq 1 25); do
  mkdir "$part"
  cd -P "./$part"
done
touch file.ts
chattr +i file.ts
