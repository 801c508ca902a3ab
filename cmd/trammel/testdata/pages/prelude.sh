# Before each block: a command of ours must not fail, but for those whose exit code is the verdict.
set -eu
trammel() {
	code=0
	"$BIN/trammel" "$@" || code=$?
	case "$1:$code" in
	*:0 | explain:2 | explain:3) ;;
	*)
		echo "trammel $*: exit code $code" >&2
		exit 1
		;;
	esac
}
