# Registers a filter that would run whenever a file is added.
# expect: STOP_GIT_METADATA_MUTATION
# elsewhere: src/.gitattributes: appeared (file 0644); src/main.ts: content
# config: {"git": {"commit": "always"}}
# ship: yes
git config filter.evil.clean "touch $MARK; cat"
echo '* filter=evil' > src/.gitattributes
echo 'export const answer = 42;' > src/main.ts
