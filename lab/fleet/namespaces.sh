#!/bin/sh
# Two machines for real, as far as one allows: a git server, a queue server, two workers and a submitter, each in a
# network namespace and a home of its own, with no folder in common. The second worker is behind NAT (nft). In the middle the
# first worker is cut off for longer than its lease; the second one takes its job over. Run it as root after
# `npm run build`: sh lab/fleet/namespaces.sh
set -eu
root=${RELAIS_ROOT:-$(cd "$(dirname "$0")/../.." && pwd)}
box=$(mktemp -d)
id=$$
pids=""
names="hub queue one two nat submit"

clean() {
  for pid in $pids; do kill "$pid" 2>/dev/null || true; done
  sleep 1
  # What these have started runs on without them, but only in its namespace.
  for name in $names; do ip netns pids "rl$id$name" 2>/dev/null | xargs -r kill -9; done
  for name in $names; do ip netns del "rl$id$name" 2>/dev/null || true; done
  rm -rf "$box"
}
trap clean EXIT INT TERM

# All traffic stays inside these namespaces: there is no route to the outside.
for name in $names; do ip netns add "rl$id$name"; ip -n "rl$id$name" link set lo up; done
ip -n "rl${id}hub" link add br0 type bridge
ip -n "rl${id}hub" addr add 10.77.0.1/24 dev br0
ip -n "rl${id}hub" link set br0 up
plug() { # NAME ADDRESS: a cable from a namespace to the bridge
  ip link add "a$id$1" type veth peer name "b$id$1"
  ip link set "a$id$1" netns "rl${id}hub"
  ip link set "b$id$1" netns "rl$id$1"
  ip -n "rl${id}hub" link set "a$id$1" master br0 up
  ip -n "rl$id$1" addr add "$2/24" dev "b$id$1"
  ip -n "rl$id$1" link set "b$id$1" up
}
plug queue 10.77.0.2
plug one 10.77.0.3
plug nat 10.77.0.4
plug submit 10.77.0.5
ip link add "n$id" netns "rl${id}nat" type veth peer name "m$id" netns "rl${id}two"
ip -n "rl${id}nat" addr add 192.168.77.1/24 dev "n$id"
ip -n "rl${id}nat" link set "n$id" up
ip -n "rl${id}two" addr add 192.168.77.2/24 dev "m$id"
ip -n "rl${id}two" link set "m$id" up
# The second worker is behind a router that hides it: nothing reaches it, and its own connections come from the router.
ip -n "rl${id}two" route add default via 192.168.77.1
ip netns exec "rl${id}nat" sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'
filter() { ip netns exec "rl${id}nat" nft "$@"; }
filter add table ip nat
filter 'add chain ip nat out { type nat hook postrouting priority 100 ; }'
filter add rule ip nat out oifname "b${id}nat" masquerade

as() { # NAME COMMAND...: in the namespace and the home of that machine, with the names of the others
  who=$1
  shift
  mkdir -p "$box/$who"
  hosts="10.77.0.1 git.test\n10.77.0.2 queue.test"
  printf "127.0.0.1 localhost\n$hosts\n" > "$box/$who/hosts"
  ip netns exec "rl$id$who" unshare --mount sh -c 'mount --bind "$0" /etc/hosts; exec "$@"' "$box/$who/hosts" \
    env -i PATH="$PATH" HOME="$box/$who" GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a \
    GIT_COMMITTER_EMAIL=a@example.com "$@"
}
relais() { # NAME ARGUMENT...
  who=$1
  shift
  as "$who" node "$root/dist/relais.cjs" --cwd "$box/$who" "$@"
}
say() { printf '%s %s\n' "$(date +%H:%M:%S)" "$*"; }

# A repository whose builder takes a while, on a git server that accepts pushes.
work=$box/hub/app
mkdir -p "$work/src" "$box/hub/srv"
git -C "$work" init -q -b main
echo old > "$work/src/x.ts"
cat > "$work/relais.config.json" <<'CONFIG'
{
  "builder": { "default_mode": "command", "command": { "command": "/bin/sh", "args": ["-c", "sleep 20; echo new > src/x.ts"] } },
  "scope": { "default_allowed_globs": ["src/**"] }
}
CONFIG
git -C "$work" add -A
git -C "$work" -c user.name=a -c user.email=a@example.com commit -qm first
git clone -q --bare "$work" "$box/hub/srv/app.git"
as hub git daemon --reuseaddr --export-all --enable=receive-pack --listen=10.77.0.1 --base-path="$box/hub/srv" &
pids="$pids $!"
url=git://git.test/app.git

relais queue queue serve --host queue.test > "$box/serve.log" 2>&1 &
pids="$pids $!"
sleep 5
for member in one two submit; do
  role=--worker
  [ "$member" != submit ] || role=--submitter
  relais queue queue invite "$member" --repo "$url" "$role" --out "$box/queue/$member.json" > "$box/invite.log"
  mkdir -p "$box/$member"
  # The only thing that is handed over.
  mv "$box/queue/$member.json" "$box/$member/invitation.json"
  sleep 2
  relais "$member" queue join "$box/$member/invitation.json" > "$box/join.log"
done
say "doctor behind NAT:"
relais two doctor | grep '  queue ' || true

relais submit submit run "make x new" --repo "$url" --agent command > "$box/submit.log"
relais one worker --once --unsandboxed > "$box/one.log" 2>&1 &
pids="$pids $!"
sleep 10
say "before the partition:"
relais submit queue
say "the first worker is cut off"
ip -n "rl${id}hub" link set "a${id}one" down
relais two worker --drain --unsandboxed > "$box/two.log" 2>&1 &
second=$!
sleep 30
clients=$(ip netns exec "rl${id}queue" ss -Htn state established '( sport = :4222 )' | awk '{ print $4 }')
say "the server sees these addresses:" $clients
case $clients in *192.168.77.*) false ;; *10.77.0.4*) ;; *) false ;; esac
sleep 60
ip -n "rl${id}hub" link set "a${id}one" up
say "the first worker is back"
wait "$second" || true
sleep 5
say "at the end:"
relais submit queue
sed 's/^/  one: /' "$box/one.log"
sed 's/^/  two: /' "$box/two.log"
branches=$(git --git-dir="$box/hub/srv/app.git" for-each-ref --format='%(refname)' refs/heads/relais | wc -l)
relais submit queue --json > "$box/end.json"
say "branches: $branches"
grep -q '"phase":"done"' "$box/end.json" && grep -q '"attempt":2' "$box/end.json" && [ "$branches" -eq 1 ]
say "done once, by the second worker, on one branch"
