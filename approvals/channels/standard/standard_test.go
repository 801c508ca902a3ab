package standard_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/approvals/channels/standard"
)

// Options are read strictly. A secret is named, never written down; and what
// could not be verified is not opened.
func TestOptions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := &channels.Env{Now: time.Now, Getenv: func(name string) string {
		return map[string]string{"S": "s", "W": "whsec_QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB"}[name]
	}}
	for text, want := range map[string]string{
		`{"type":"desktop"}`:              "",
		`{"type":"desktop","sound":true}`: "unknown option",
		`{"type":"pager"}`:                "desktop, feishu, slack, webhook",
		`{}`:                              "expected one of",
		`[]`:                              "type",
		`{"type":"slack","channel":"C1","token_env":"S","signing_secret_env":"S"}`:                               "",
		`{"type":"slack","channel":"C1","token_env":"S","app_token_env":"S"}`:                                    "",
		`{"type":"slack","channel":"C1","token":"xoxb-1","signing_secret_env":"S"}`:                              "unknown option",
		`{"type":"slack","channel":"C1","token_env":"NONE","signing_secret_env":"S"}`:                            "NONE is not set",
		`{"type":"slack","channel":"C1","token_env":"S"}`:                                                        "could not be verified",
		`{"type":"slack","token_env":"S","signing_secret_env":"S"}`:                                              "channel is missing",
		`{"type":"slack","channel":"C1","token_env":"S","signing_secret_env":"S","base_url":"http://slack.com"}`: "expected https",
		`{"type":"slack","channel":"C1","token_env":"S","token_file":"x","signing_secret_env":"S"}`:              "both set",
		`{"type":"feishu","app_id":"a","chat":"c","app_secret_env":"S","verification_token_env":"S"}`:            "",
		`{"type":"feishu","app_id":"a","chat":"c","app_secret_env":"S","encrypt_key_env":"S"}`:                   "",
		`{"type":"feishu","app_id":"a","chat":"c","app_secret_env":"S"}`:                                         "could not be verified",
		`{"type":"feishu","app_id":"a","app_secret_env":"S","encrypt_key_env":"S"}`:                              "must be set",
		`{"type":"feishu","app_id":"a","chat":"c","app_secret_env":"S","encrypt_key_env":"S","chat_type":"x"}`:   "chat_id",
		`{"type":"feishu","app_id":"a","chat":"c","app_secret_file":"/does/not/exist","encrypt_key_env":"S"}`:    "app_secret_file",
		`{"type":"webhook","url":"https://a.example/x","secret_file":` + quoted(file) + `}`:                      "",
		`{"type":"webhook","url":"https://a.example/x","secret_env":"W"}`:                                        "",
		`{"type":"webhook","url":"https://a.example/x","secret_env":"S"}`:                                        "must be whsec_",
		`{"type":"webhook","url":"https://a.example/x"}`: "secret_env or secret_file is " +
			"missing",
		`{"type":"webhook","url":"http://a.example/x","secret_env":"W"}`:                            "expected https",
		`{"type":"webhook","url":"https://u:p@a.example/x","secret_env":"W"}`:                       "password",
		`{"type":"webhook","url":"https://a.example/x","secret_env":"W","decision_secret_env":"W"}`: "are the same",
	} {
		_, err := standard.Open(map[string]json.RawMessage{"ops": json.RawMessage(text)}, env)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "ops")):
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func quoted(text string) string {
	out, _ := json.Marshal(text)
	return string(out)
}
