#!/bin/sh
mkdir -p .system/logs && cat > .system/logs/build_check.json && echo '{"logs":["the services were checked"]}'
