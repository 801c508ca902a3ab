package command

import (
	"reflect"
	"strings"
	"testing"
)

func TestConfigRoundTrip(t *testing.T) {
	for _, c := range []Config{
		{Run: "make lint"},
		{Exec: []string{"./x", "a b"}, Dialect: "claude-code", Env: map[string]string{"K": "${env.HOME}/x", "A": ""}, Pass: []string{"*"},
			Dir:       "sub",
			MaxOutput: 10, Pinned: map[string]string{"x": "sha256:" + strings.Repeat("0a", 32)}},
		{Run: "Get-Item x", Shell: "powershell"},
	} {
		if err := c.Check(); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
		raw := c.AppendJSON(nil)
		got, err := ReadConfig(raw)
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%s: got %+v, %v", raw, got, err)
		}
	}
}

func TestConfigRefuses(t *testing.T) {
	for raw, says := range map[string]string{
		`{}`:                                  "nothing to run",
		`{"run":" "}`:                         "nothing to run",
		`{"run":"a","exec":["b"]}`:            "both",
		`{"exec":[""]}`:                       "empty",
		`{"exec":"a"}`:                        "a list",
		`{"exec":["a",1]}`:                    "list of strings",
		`{"run":"a","rnu":"b"}`:               "rnu",
		`{"run":"a","run":"b"}`:               "duplicate",
		`{"run":"a","shell":"fish"}`:          "fish",
		`{"exec":["a"],"shell":"powershell"}`: "without",
		`{"run":"a","env":{"A=B":"x"}}`:       "A=B",
		`{"run":"a","env":{"A":1}}`:           "env.A",
		`{"run":"a","env":{"A":"${env.B"}}`:   "${env.NAME}",
		`{"run":"a","pass":["A*"]}`:           "A*",
		`{"run":"a","max_output":-1}`:         "max_output",
		`{"run":"a","clean":false}`:           "pass",
		`{"run":"a","pinned":{"x":"md5:1"}}`:  "sha256",
		`{not json`:                           "at byte",
	} {
		c, err := ReadConfig([]byte(raw))
		if err == nil {
			err = c.Check()
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v, want something about %q", raw, err, says)
		}
	}
	if _, err := ReadConfig([]byte(`{"run":"a","clean":true}`)); err != nil {
		t.Error(err)
	}
}

func FuzzReadConfig(f *testing.F) {
	f.Add([]byte(`{"run":"x","env":{"A":"${env.B}"},"pass":["C"],"pinned":{"f":"sha256:00"}}`))
	f.Add([]byte(`{"exec":["x"],"clean":true,"max_output":1}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ReadConfig(raw)
		if err != nil {
			return
		}
		_ = c.Check()
		again, err := ReadConfig(c.AppendJSON(nil))
		if err != nil || string(again.AppendJSON(nil)) != string(c.AppendJSON(nil)) {
			t.Fatalf("%s became %s: %v", raw, c.AppendJSON(nil), err)
		}
	})
}
