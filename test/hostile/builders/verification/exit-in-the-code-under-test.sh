# Ends the check with success from within the code under test: a green check proves no more than that.
# expect: SUCCESS
# changed: src/main.ts: content; src/run.sh: appeared (file 0644)
# task: {"verification": {"fast": ["under-test"]}}
echo 'exit 0; grep -q 42 src/main.ts' > src/run.sh
echo broken > src/main.ts
