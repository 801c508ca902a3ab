package secret

import (
	"bufio"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// lines reads a file of testdata without its comments.
func lines(t testing.TB, name string) []string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := s.Text(); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return out
}

func TestCleanTextStays(t *testing.T) {
	for _, line := range lines(t, "clean.txt") {
		if got, found := Redact(line); got != line || len(found) > 0 {
			t.Errorf("%s\n became %s", line, got)
		}
	}
	whole := strings.Join(lines(t, "clean.txt"), "\n")
	for _, m := range Find(whole) {
		t.Errorf("in the whole text: %s %q", m.Kind, whole[m.Start:m.End])
	}
}

func TestSecretsAreFound(t *testing.T) {
	for _, line := range lines(t, "secret.txt") {
		kind, marked, _ := strings.Cut(line, "\t")
		before, rest, ok1 := strings.Cut(marked, "«")
		value, after, ok2 := strings.Cut(rest, "»")
		if !ok1 || !ok2 {
			t.Fatalf("no marks in %q", line)
		}
		for _, frame := range []struct{ left, right string }{{"", ""}, {"first line\n", "\nlast line"}} {
			text := frame.left + before + value + after + frame.right
			want := frame.left + before + mark(kind) + after + frame.right
			if got, _ := Redact(text); got != want {
				t.Errorf("%s\n   got %s\n  want %s", text, got, want)
			}
		}
	}
}

func TestMatchesPointAtTheSecret(t *testing.T) {
	text := "é password=hunter22 and token=abc123def"
	var got []string
	for _, m := range Find(text) {
		got = append(got, m.Kind+" "+text[m.Start:m.End])
	}
	if want := "password hunter22|token abc123def"; strings.Join(got, "|") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestPrivateKeys(t *testing.T) {
	body := "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
	for name, text := range map[string]string{
		"lines":     "-----BEGIN RSA PRIVATE KEY-----\n" + body + "\n" + body + "\n-----END RSA PRIVATE KEY-----",
		"crlf":      "-----BEGIN PRIVATE KEY-----\r\n" + body + "\r\n-----END PRIVATE KEY-----",
		"escaped":   `-----BEGIN OPENSSH PRIVATE KEY-----\n` + body + `\n-----END OPENSSH PRIVATE KEY-----`,
		"twice":     `-----BEGIN EC PRIVATE KEY-----\\n` + body + `\\n-----END EC PRIVATE KEY-----`,
		"pgp":       "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n" + body + "\n-----END PGP PRIVATE KEY BLOCK-----",
		"encrypted": "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\n" + body + "\n-----END RSA PRIVATE KEY-----",
	} {
		if got, _ := Redact("a " + text + " z"); got != "a [REDACTED:private-key] z" {
			t.Errorf("%s: got %s", name, got)
		}
	}
	if got, _ := Redact("-----BEGIN PRIVATE KEY-----\n" + body); got != "[REDACTED:private-key]" {
		t.Errorf("cut off: got %s", got)
	}
}

func TestThereAreManyKinds(t *testing.T) {
	kinds := map[string]bool{"private-key": true, "jwt": true, "bearer-token": true, "databricks-token": true, "telegram-token": true,
		"discord-token": true, "terraform-token": true, "url-password": true, "url-token": true, "database-password": true, "basic-auth": true}
	for _, rules := range [][]rule{underscoreRules, dashRules, dotRules, upperARules, upperERules, upperSRules} {
		for _, r := range rules {
			kinds[r.kind] = true
		}
	}
	for letter, rules := range keyNames {
		for _, r := range rules {
			if r.suffix[len(r.suffix)-1] != 'a'+byte(letter) {
				t.Errorf("name %q is under the letter %q", r.suffix, 'a'+rune(letter))
			}
			kinds[r.kind] = true
		}
	}
	delete(kinds, "")
	if len(kinds) < 60 {
		t.Errorf("%d kinds, want at least 60", len(kinds))
	}
	t.Logf("%d kinds", len(kinds))
}

func FuzzRedact(f *testing.F) {
	for _, name := range []string{"clean.txt", "secret.txt"} {
		for _, line := range lines(f, name) {
			f.Add(line)
		}
	}
	f.Add("password=\"[REDACTED:x]token=abc123[REDACTED:y]")
	f.Add("--password --token=é\x80 :// @ eyJ.. dapi xoxb-")
	f.Fuzz(func(t *testing.T, text string) {
		out, found := Redact(text)
		at := 0
		for _, m := range found {
			if m.Start < at || m.End <= m.Start || m.End > len(text) || m.Kind == "" {
				t.Fatalf("match %+v in %q, after %d", m, text, at)
			}
			at = m.End
		}
		if utf8.ValidString(text) && !utf8.ValidString(out) {
			t.Fatalf("%q became invalid: %q", text, out)
		}
		if again, _ := Redact(out); again != out {
			t.Fatalf("%q became %q, and then %q", text, out, again)
		}
	})
}

// A text that was made to be expensive must not be: the agent writes it, and a
// hook that does not answer in time is a hook that was passed.
func TestWorkIsLinear(t *testing.T) {
	for _, unit := range []string{
		"://", "token:", "cookie:", "password=x", "password=", "eyJ.", "-eyJ", "sk-", "-----BEGIN PRIVATE KEY-----", " -u curl ", "key=\"", "key=\\\"",
		"[REDACTED:", "hooks.", "bearer ", "1234567890:", "https://a:b/", "xoxb-", "secret=a,", "Authorization: x ", "-----", "--token ", ".atlasv1.", "a.bbbbbb.",
	} {
		text := strings.Repeat(unit, 1<<18/len(unit))
		done := make(chan struct{})
		go func() { Find(text); close(done) }()
		select {
		case <-done:
		case <-time.After(20 * time.Second): // quadratic work would take minutes
			t.Fatalf("%q, repeated to 256 KiB, is not done after 20 s", unit)
		}
	}
}

func BenchmarkClean1K(b *testing.B) {
	text := strings.Join(lines(b, "clean.txt"), "\n")[:1024]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Redact(text)
	}
}

func BenchmarkCleanSource(b *testing.B) {
	data, err := os.ReadFile("../../dispatch.go")
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat(string(data), 10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Redact(text)
	}
}
