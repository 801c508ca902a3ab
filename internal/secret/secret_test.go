package secret

import (
	"bufio"
	"os"
	"slices"
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
		"lines":   "-----BEGIN RSA PRIVATE KEY-----\n" + body + "\n" + body + "\n-----END RSA PRIVATE KEY-----",
		"crlf":    "-----BEGIN PRIVATE KEY-----\r\n" + body + "\r\n-----END PRIVATE KEY-----",
		"escaped": `-----BEGIN OPENSSH PRIVATE KEY-----\n` + body + `\n-----END OPENSSH PRIVATE KEY-----`,
		"twice":   `-----BEGIN EC PRIVATE KEY-----\\n` + body + `\\n-----END EC PRIVATE KEY-----`,
		"pgp":     "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n" + body + "\n-----END PGP PRIVATE KEY BLOCK-----",
		"encrypted": "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\n" + body +
			"\n-----END RSA PRIVATE KEY-----",
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
	for _, sign := range []string{"_", "-", ".", "A", "E", "S"} {
		for before, rows := range ruleRows[triggers[sign[0]]] {
			for _, r := range *readRules(rows, sign) {
				under := before == 0
				if triggers[sign[0]] <= dot {
					under = strings.HasSuffix(r.head, string(rune(before)))
				}
				if rows != "" && (r.class == 0 || r.min+len(r.tail) < 16 || !under) {
					t.Errorf("the row of %s%s%s, under %q, reads as %+v", r.head, sign, r.tail, rune(before), r)
				}
			}
		}
	}
	for letter, rules := range keyNames {
		for _, r := range rules {
			if r.suffix[len(r.suffix)-1] != 'a'+byte(letter) {
				t.Errorf("name %q is under the letter %q", r.suffix, 'a'+rune(letter))
			}
		}
	}
	kinds := Kinds()
	if len(kinds) < 100 || !slices.IsSorted(kinds) || len(slices.Compact(slices.Clone(kinds))) != len(kinds) {
		t.Errorf("%d kinds, want at least 100, sorted, each once", len(kinds))
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
		bare := Sieve{Bare: true}
		out, secrets := bare.Text(text)
		if again, _ := bare.Text(out); again != out || len(secrets) != len(found) {
			t.Fatalf("%q became %q, and then %q; %d secrets of %d", text, out, again, len(secrets), len(found))
		}
	})
}

// A text that was made to be expensive must not be: the agent writes it, and a
// hook that does not answer in time is a hook that was passed.
func TestWorkIsLinear(t *testing.T) {
	for _, text := range expensive(1 << 18) {
		done := make(chan struct{})
		go func() { Find(text); close(done) }()
		select {
		case <-done:
		case <-time.After(time.Minute): // quadratic work would take longer
			t.Fatalf("%.40q…, 256 KiB of it, is not done after a minute", text)
		}
	}
}

// expensive returns texts of about n bytes that look like secrets all over.
func expensive(n int) []string {
	var out []string
	for _, unit := range []string{
		"://", "token:", "cookie:", "password=x", "password=", "eyJ.", "-eyJ", "sk-", "-----BEGIN PRIVATE KEY-----", " -u curl ", "key=\"",
		"key=\\\"",
		"[REDACTED:", "hooks.", "bearer ", "1234567890:", "https://a:b/", "xoxb-", "secret=a,", "Authorization: x ", "-----", "--token ",
		".atlasv1.", "a.bbbbbb.",
		"sha256~", "0Q~", "access_token$production$", "Private-Lines: 1\n", "login password ", "PASSWORD '",
		"0123456789abcdef0123456789abcdef-us1", "pat00000000000000.",
		"\xff\xfe", "key=\xff", "é_", "_", "-", ".", "~", "A", "E", "p", "=", "\"", "\\",
	} {
		out = append(out, strings.Repeat(unit, n/len(unit)))
	}
	var deeper strings.Builder // quotes that are escaped more and more often
	for depth := 1; deeper.Len() < n; depth++ {
		deeper.WriteString("key=" + strings.Repeat("\\", depth) + "\"")
	}
	return append(out, deeper.String(), "password=\""+strings.Repeat("x", n), "token="+strings.Repeat("aB3", n/3), "glpat-"+
		strings.Repeat("aB3_", n/4))
}

// BenchmarkExpensive reports how fast the slowest of the texts is that were
// made to be slow.
func BenchmarkExpensive(b *testing.B) {
	texts := expensive(1 << 16)
	best := make([]time.Duration, len(texts))
	for b.Loop() {
		for i, text := range texts {
			start := time.Now()
			Redact(text)
			if took := time.Since(start); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	worst := slices.Index(best, slices.Max(best))
	b.Logf("slowest: %.20q", texts[worst])
	b.ReportMetric(float64(len(texts[worst]))/1e6/best[worst].Seconds(), "MB/s-worst")
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
