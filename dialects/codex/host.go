// Package codex is the dialect of the Codex CLI: for Codex itself, and for hook
// programs that were written for it and now run under any host.
//
// Codex reads answers strictly: an unknown field, a word that it does not
// support, an allow without new arguments, a denial without a reason, text
// around the JSON: each makes it drop the whole answer, and the tool runs. So
// only the smallest possible object is ever sent, and a denial has only its
// reason. Codex cannot ask its user for a hook, and does not limit how often a
// stop can be blocked.
package codex

import (
	_ "embed"

	"github.com/trammel-dev/trammel/dialects"
)

//go:embed host.txt
var about string

// Host is what is known about Codex. It does not tell its hooks where the
// project is.
//
// It cannot ask, even when it is about to ask itself, because then a reviewer
// that is not a person may answer. An allow before a call is not a grant: it
// only carries new arguments. After a call, a block replaces the output with
// its reason, and output is rewritten this way. A compaction or the start of a
// session could be ended with continue:false, but that ends more than the
// event, so it is not used. On events before it exits, Codex limits the timeout
// to three seconds, and warns about more.
var Host = dialects.Host{System: "codex", About: &about, Tools: tools,
	Wiring:      []dialects.File{{User: "hooks.json", Project: ".codex/hooks.json", Entry: entry, Managed: &managed}},
	Transcripts: &transcripts,
	Servers:     []dialects.Servers{{User: "config.toml", Project: ".codex/config.toml", Key: "mcp_servers", TOML: true}},
}

var managed = dialects.Managed{Linux: "/etc/codex/requirements.toml", MacOS: "/etc/codex/requirements.toml",
	Windows: `C:\ProgramData\OpenAI\Codex\requirements.toml`,
	Lock:    dialects.Object{{Name: "allow_managed_hooks_only", Value: true}}, TOML: true,
	Domain: "com.openai.codex", Base64: "requirements_toml_base64"}

func entry(c dialects.Call) dialects.Object {
	if c.OnWindows == "" {
		return dialects.Grouped(c.Command, c.Seconds())
	}
	return dialects.Grouped(c.Command, c.Seconds(), dialects.Member{Name: "commandWindows", Value: c.OnWindows})
}
