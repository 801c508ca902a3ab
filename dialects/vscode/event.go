package vscode

import "github.com/trammel-dev/trammel/dialects/decode"

// Dialect is VS Code's dialect, for the host. It does not say in which mode it
// asks its user, so whether its own questions are switched off is not known.
var Dialect = dialect{decode.Reader{Host: &Host}}

type dialect struct{ decode.Reader }
