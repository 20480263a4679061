#!/bin/sh
# Puts newer editors than the system has into the folder $1: Helix, and a Neovim beside that of the system, or the programs $3
# (hx and neovim; tree-sitter-cli is another). They come from Debian's $2 (trixie) with the libraries that they need, and are
# unpacked, not installed; no rights are needed.
set -eu
root=$(mkdir -p "$1" && cd "$1" && pwd)
suite=${2:-trixie}
packages=${3:-hx neovim}

apt=$root/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$root/bin"
touch "$apt/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $suite main" > "$apt/sources.list"
apt() {
    apt-get -q -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State="$apt" \
        -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" \
        -o APT::Sandbox::User="$(id -un)" -o APT::Install-Recommends=false "$@"
}
apt update
# shellcheck disable=SC2086
apt install -y --download-only $packages
for package in "$apt"/cache/archives/*.deb; do
    dpkg -x "$package" "$root"
done
rm -rf "$apt"

# A program of its own suite is started by that suite's loader.
launcher() {
    printf '#!/bin/sh\n%s\nexec %s --library-path %s %s "$@"\n' "${3:+export $3}" \
        "$root/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" "$root/usr/lib/x86_64-linux-gnu" "$root/$2" > "$root/bin/$1"
    chmod +x "$root/bin/$1"
}
for package in $packages; do
    case $package in
    hx) launcher hx usr/lib/hx/hx "HELIX_RUNTIME=$root/usr/lib/hx/runtime" ;;
    neovim) launcher nvim usr/bin/nvim "VIMRUNTIME=$root/usr/share/nvim/runtime" ;;
    tree-sitter-cli) launcher tree-sitter usr/bin/tree-sitter "" ;;
    esac
done
for program in "$root"/bin/*; do
    "$program" --version | head -n 1
done
