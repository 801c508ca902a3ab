#!/bin/sh
# Stands in for trammel-hook: keeps what it is asked, answers as ANSWER says.
n=$$
cat > "$SEEN/$n.json"
echo "$1 $2 $3" > "$SEEN/$n.called"
case "$ANSWER" in
crash) kill -9 $$ ;;
exit) echo "boom" >&2; exit 1 ;;
hang) exec sleep 30 ;;
*) printf '%s' "$ANSWER" ;;
esac
