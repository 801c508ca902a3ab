package handed

import "strings"

// oneOf holds names between blanks. It costs nothing when the program starts, as a map would.
type oneOf string

func (l oneOf) has(name string) bool {
	return name != "" && !strings.Contains(name, " ") && strings.Contains(string(l), " "+name+" ")
}

// looksAt are sub-commands that only look at what they are given.
const looksAt oneOf = " lint fmt format check validate verify diff show view inspect explain help version lsp highlight parse " +
	"completion list ls status add remove init login "

// keeps are programs that keep texts, show or send them, and run nothing of them.
const keeps oneOf = " git hg svn jj sl fossil gh glab hub tea cp mv ln rm mkdir touch chmod chown tar zip unzip 7z gzip zstd xz " +
	"bzip2 rsync scp sftp cat bat less more head tail wc sort code cursor subl zed open xdg-open nano vale black " +
	"ruff flake8 pylint mypy pyright rubocop biome dprint taplo gofmt rustfmt clippy ajv jq yq cue conftest opa " +
	"semgrep trivy grype checkov tfsec kubeval kubeconform pluto promtool amtool glow mdcat pandoc markdown marked " +
	"llm aichat ollama cd pushd export set alias test [ kill trammel file stat du tee base64 xxd od md5 b3sum " +
	"cksum tsc protoc sops age gpg echo printf read true false "

// wrappers are programs that start the one that their arguments name.
const wrappers oneOf = " npx bunx pnpx npm pnpm yarn bun bundle uv uvx pipx poetry pdm rye mise sudo doas env xargs timeout nice nohup " +
	"time ionice setsid stdbuf direnv dotenv docker podman nix "

// behind are sub-commands behind which a program stands.
const behind oneOf = " run exec tool dlx x "

// general are names of files that say nothing of whose they are.
const general oneOf = " main test tests data code index config setup build server client check deploy package project docs lint local " +
	"prod site work script "
