#!/bin/sh
# Unpacks newer servers of NATS beside the installed one: those of Debian's stable and testing suites, where the mirror
# that apt is configured with also has them. Nothing is installed. Prints their paths with colons between them, as
# RELAIS_NATS_SERVERS has them. FOLDER
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | sort -u | head -n 1)
[ -n "$mirror" ] || { echo "apt has no mirror of Debian" >&2; exit 1; }
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/sources"
cat > "$folder/sources/newer.sources" <<SOURCES
Types: deb
URIs: $mirror
Suites: stable testing
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
set -- -qq -o APT::Sandbox::User=root -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$folder/sources" \
  -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder/cache"
apt-get "$@" update >&2
installed=$(dpkg-query --show --showformat '${Version}' nats-server 2> /dev/null || echo 0)
found=""
for suite in stable testing; do
  mkdir -p "$folder/$suite"
  (cd "$folder/$suite" && apt-get "$@" download "nats-server/$suite" >&2 && dpkg -x ./*.deb .) || continue
  program=$folder/$suite/usr/sbin/nats-server
  version=$(dpkg-deb --field "$folder/$suite"/*.deb Version)
  dpkg --compare-versions "$version" gt "$installed" && "$program" --version >&2 && found="$found:$program"
done
echo "${found#:}"
