package deliver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/approvals/channels/standard"
)

// FIM-31: a channel tells people something without any hook or request. The
// stand-ins verify what they are sent; no text is markup, and no secret leaves.
func TestNotice(t *testing.T) {
	const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	paths := map[string]string{"slack": "/api/chat.postMessage", "feishu": "/open-apis/im/v1/messages", "webhook": "/hook"}
	each(t, func(t *testing.T, kind string, o *office) {
		for _, text := range []string{"3 tests failed", "", "<!channel> <at id=all></at> " + token + "\u202e\x1b[2J",
			strings.Repeat("价`<&", 9000)} {
			n := channels.NewNotice("Nightly "+text, text)
			took, err := standard.Notify(t.Context(), o.declared, o.opens, nil, n)
			if err != nil || len(took) != 1 {
				t.Fatalf("%.40q: %v %v", text, took, err)
			}
			platform, _, _ := strings.Cut(kind, "-")
			calls := o.there.Calls(paths[platform])
			last := calls[len(calls)-1]
			raw := string(last.Raw)
			markup := fmt.Sprint(last.Body["text"], last.Body["content"]) // where a platform would read some
			if !strings.Contains(raw, "Nightly") || !strings.Contains(raw, "3 tests failed") && text == "3 tests failed" {
				t.Errorf("it says %.300s", raw)
			}
			for _, never := range []string{"<!channel>", "<at id"} {
				if strings.Contains(markup, never) {
					t.Errorf("it says %q: %.300s", never, markup)
				}
			}
			for _, never := range []string{token, "\u202e", `\u001b`} {
				if strings.Contains(raw, never) {
					t.Errorf("it says %q: %.300s", never, raw)
				}
			}
		}
		if _, err := standard.Notify(t.Context(), o.declared, o.opens, []string{"nowhere"}, channels.NewNotice("x", "")); err == nil ||
			!strings.Contains(err.Error(), kind) {
			t.Errorf("a channel that is not there: %v", err)
		}
		o.there.Close()
		if _, err := standard.Notify(t.Context(), o.declared, o.opens, nil, channels.NewNotice("x", "")); err == nil {
			t.Error("nobody was told, and it does not say so")
		}
	})
}
