# Paths that nobody allowed are staged without a file, next to honest work: a merge must not leave them staged.
# expect: SUCCESS
# kind: plain
set -e
echo "// edit" >>src/main.ts
blob=$(echo evil | git hash-object -w --stdin)
git update-index --add --cacheinfo "100644,$blob,.github/workflows/evil.yml"
git update-index --add --cacheinfo "100644,$blob,relais.config.json"
git update-index --add --cacheinfo "160000,$(git rev-parse HEAD),src/sub"
