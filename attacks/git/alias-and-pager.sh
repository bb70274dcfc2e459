# Gives git aliases, a pager and an external diff that run programs.
# expect: STOP_GIT_METADATA_MUTATION
# ship: yes
git config alias.st "!touch $MARK"
git config core.pager "touch $MARK"
git config diff.external "touch $MARK"
echo 'export const answer = 42;' > src/main.ts
