# New names that are odd but fine.
# expect: SUCCESS
set -e
echo 1 >"src/with space.ts"
echo 2 >"src/[slug].ts"
echo 3 >'src/$(id).ts'
echo 4 >src/-dash.ts
echo 5 >"src/it's.ts"
echo 6 >"$(printf 'src/\346\227\245\346\234\254.ts')"
echo 7 >src/.hidden.ts
