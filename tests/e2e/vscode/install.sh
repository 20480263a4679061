#!/bin/sh
# Puts VS Code's web server and what drives it into the folder $1 (about 1 GB, a minute). Chromium comes from the system.
set -eu
mkdir -p "$1"
cd "$1"
[ -e package.json ] || echo '{"private": true}' > package.json
npm install node@24 playwright-core@1
npm install --ignore-scripts code-server@4.139.1
cd node_modules/code-server/lib/vscode
npm install --omit=dev --ignore-scripts
