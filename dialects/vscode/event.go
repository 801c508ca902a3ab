package vscode

import "github.com/trammel-dev/trammel/dialects/decode"

// Dialect is VS Code's dialect, for the host. It does not report its permission
// mode, so it is unknown whether its own questions are switched off.
var Dialect = dialect{decode.Reader{Host: &Host}}

type dialect struct{ decode.Reader }
