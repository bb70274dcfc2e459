# Writes files the way editors do: beside them, and then in their place.
# expect: SUCCESS
# ship: yes
cp -p src/main.ts src/.main.ts.swp
echo 'export const answer = 42;' > src/.main.ts.swp
mv src/.main.ts.swp src/main.ts
cp -p src/other.ts src/other.ts~
mv src/other.ts~ src/other.ts
