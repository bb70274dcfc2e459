# Adds a program to the file that git's configuration includes from the working tree, in a tick that commits.
# expect: SUCCESS
# note: What git runs or obeys on your machine later was changed or removed: `src/git.conf`
# changed: src/git.conf: content; src/main.ts: content
# files: {"src/git.conf": "[core]\n\tabbrev = 12\n", "src/.gitattributes": "*.ts filter=evil diff=evil merge=evil\n"}
# before: git config include.path ../src/git.conf
# config: {"git": {"commit": "always", "hooks": "run"}}
# commits: yes
# driver: tick
# ship: yes
cat > src/git.conf <<END
[filter "evil"]
	clean = "touch $MARK; cat"
[diff "evil"]
	textconv = "touch $MARK; cat"
END
echo 'export const answer = 42;' > src/main.ts
