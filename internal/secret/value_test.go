package secret

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRedactValue(t *testing.T) {
	type m = map[string]any
	type l = []any
	for name, c := range map[string]struct {
		in, want any
		count    int
	}{
		"key":   {m{"password": "hunter22", "user": "bob"}, m{"password": "[REDACTED:password]", "user": "bob"}, 1},
		"short": {m{"password": "abc"}, m{"password": "abc"}, 0},
		"number": {m{"password": int64(12345678), "max_tokens": int64(12345678)}, m{"password": "[REDACTED:password]",
			"max_tokens": int64(12345678)}, 1},
		"below a key":   {m{"credentials": m{"a": l{"abc123xyz", true}}}, m{"credentials": m{"a": l{"[REDACTED:credentials]", true}}}, 1},
		"scheme stays":  {m{"Authorization": "Bearer abc123xyz"}, m{"Authorization": "Bearer [REDACTED:authorization]"}, 1},
		"shape wins":    {m{"token": "glpat-abcdefghij0123456789"}, m{"token": "[REDACTED:gitlab-token]"}, 1},
		"option":        {l{"login", "--password", "hunter22", "x"}, l{"login", "--password", "[REDACTED:password]", "x"}, 1},
		"pair":          {m{"name": "DB_PASSWORD", "value": "hunter22"}, m{"name": "DB_PASSWORD", "value": "[REDACTED:password]"}, 1},
		"secret as key": {m{"glpat-abcdefghij0123456789": true}, m{"[REDACTED:gitlab-token]": true}, 1},
		"content of a file": {m{"file_path": "/x/.env", "content": "A=b", "n": int64(1)}, m{"file_path": "/x/.env",
			"content": "[REDACTED:sensitive-file]", "n": int64(1)}, 1},
		"other file": {m{"file_path": "/x/env.go", "content": "A=b"}, m{"file_path": "/x/env.go", "content": "A=b"}, 0},
		"nothing":    {l{nil, true, 1.5, "text"}, l{nil, true, 1.5, "text"}, 0},
	} {
		before := cmp.Diff(c.in, c.want)
		got, count := RedactValue(c.in)
		if diff := cmp.Diff(c.want, got); diff != "" || count != c.count {
			t.Errorf("%s: %d redacted, want %d\n%s", name, count, c.count, diff)
		}
		if after := cmp.Diff(c.in, c.want); len(after) != len(before) {
			t.Errorf("%s: the argument was changed", name)
		}
	}
}

func TestRedactContent(t *testing.T) {
	in := map[string]any{
		"tool_input":    map[string]any{"command": "cat .env"},
		"tool_response": map[string]any{"stdout": "A=b", "interrupted": false},
	}
	want := map[string]any{
		"tool_input":    map[string]any{"command": "cat .env"},
		"tool_response": map[string]any{"stdout": "[REDACTED:sensitive-file]", "interrupted": false},
	}
	if got, _ := RedactContent(in); cmp.Diff(want, got) != "" {
		t.Error(cmp.Diff(want, got))
	}
}

func TestSensitivePath(t *testing.T) {
	for path, want := range map[string]bool{
		".env": true, "/a/b/.env": true, ".env.local": true, "prod.env": true, ".env.example": false, "env.go": false, "environment": false,
		"~/.ssh/id_rsa": true, "id_rsa.pub": false, ".ssh/config": false, ".ssh/known_hosts": false, ".ssh/work": true, "server.pem": true,
		"tls.key":                     true,
		`C:\Users\x\.aws\credentials`: true, "credentials": true, "credentials.go": false, ".netrc": true, ".npmrc": true, ".pgpass": true,
		"kubeconfig":   true,
		".kube/config": true, ".git/config": false, ".docker/config.json": true, "config.json": false, "keyboard.md": false, "": false,
		"/etc/shadow": true,
		`".env"`:      true, "secrets.yaml": true, "secrets.go": false,
	} {
		if got := SensitivePath(path); got != want {
			t.Errorf("%q: got %v", path, got)
		}
	}
	for command, want := range map[string]bool{
		"cat .env": true, "cat<.env": true, "source ./prod/.env && run": true, "scp x:~/.ssh/id_rsa .": true, "go test ./...": false,
		"env | sort": false,
		"cat '.env'": true, "cat .env.example": false, "": false,
	} {
		if got := NamesSensitivePath(command); got != want {
			t.Errorf("%q: got %v", command, got)
		}
	}
}
