package secret

import "strings"

// Shapes that a prefix alone does not tell: what stands before the trigger
// counts, too.

// paypal: access_token$production$<16>$<32 hex>. i is at the underscore.
func (s *scanner) paypal(i int) int {
	rest := s.text[i+1:]
	for _, stage := range [...]string{"token$production$", "token$sandbox$"} {
		if !strings.HasPrefix(rest, stage) || !strings.HasSuffix(s.text[:i], "access") {
			continue
		}
		account := s.runMax(i+1+len(stage), alnum, look)
		end := s.runMax(account+1, hex, look)
		if s.at(account) == '$' && end-account > 16 {
			return s.add("paypal-token", i-len("access"), end)
		}
	}
	return i + 1
}

// mail: <32 hex>-us<1 or 2 digits> is Mailchimp's, <32 hex>-<8 hex>-<8 hex>
// Mailgun's. i is at the first dash.
func (s *scanner) mail(i int) (int, bool) {
	kind, end := "mailchimp-key", 0
	switch {
	case s.at(i+1) == 'u' && s.at(i+2) == 's':
		end = s.runMax(i+3, digit, 3)
		if end == i+3 {
			return 0, false
		}
	case s.at(i+9) == '-':
		kind, end = "mailgun-key", s.runMax(i+10, hex, 9)
		if end != i+18 || s.runMax(i+1, hex, 9) != i+9 {
			return 0, false
		}
	default:
		return 0, false
	}
	start := i
	for start > 0 && i-start < 33 && classes[s.text[start-1]]&hex != 0 {
		start--
	}
	if i-start != 32 || classes[s.at(end)]&alnum != 0 || repetitive(s.text[start:i]) || !s.starts(start) {
		return 0, false
	}
	return s.add(kind, start, end), true
}

// airtable: pat<14>.<64 hex>. i is at the dot.
func (s *scanner) airtable(i int) (int, bool) {
	const head = len("pat") + 14
	if i < head || !strings.HasPrefix(s.text[i-head:], "pat") || !s.starts(i-head) {
		return 0, false
	}
	end := s.runMax(i+1, hex, 65)
	if c, other := classOf(s.text[i-head : i]); end-i-1 != 64 || other || c&^alnum != 0 {
		return 0, false
	}
	return s.add("airtable-token", i-head, end), true
}

// tilde: <3>8Q~<31 and more> is a client secret of Azure, sha256~<43> a token
// of OpenShift.
func (s *scanner) tilde(i int) int {
	if strings.HasSuffix(s.text[:i], "sha256") {
		if end := s.runMax(i+1, token, look); end-i-1 == 43 && !repetitive(s.text[i+1:end]) {
			return s.add("openshift-token", i-len("sha256"), end)
		}
		return i + 1
	}
	if s.at(i-1) != 'Q' || classes[s.at(i-2)]&digit == 0 || i < 5 {
		return i + 1
	}
	end := i + 1
	for end < min(len(s.text), i+40) && (classes[s.text[end]]&dotted != 0 || s.text[end] == '~') {
		end++
	}
	for end > i && s.text[end-1] == '.' {
		end--
	}
	if n := end - i - 1; n < 31 || n > 34 || !opaque(s.text[i+1:end]) {
		return i + 1
	}
	return s.add("azure-client-secret", i-5, end)
}

// letterP is a p of either case: dapi…, the word password without a sign
// behind it, and the private part of a key of PuTTY.
func (s *scanner) letterP(i int) int {
	switch s.at(i + 1) {
	case 'i':
		return s.databricks(i)
	case 'a', 'A':
		return s.spoken(i)
	case 'r':
		return s.putty(i)
	}
	return i + 1
}

// spoken: "login bob password x" as in .netrc, PASSWORD 'x' as in SQL.
func (s *scanner) spoken(i int) int {
	const name = "password "
	if i+len(name) >= len(s.text) || s.text[i+len(name)-1] != ' ' || !strings.EqualFold(s.text[i:i+len(name)], name) || !s.starts(i) {
		return i + 1
	}
	at := i + len(name)
	before := s.text[max(0, i-128):i]
	v := value{rule: &optionPassword, at: at, next: i + 1, tight: true}
	switch {
	case strings.Contains(before, "login ") || strings.Contains(before, "machine "):
	case s.at(at) == '\'' && (strings.HasPrefix(s.text[i:], "PASSWORD") || strings.Contains(before, "user ") ||
		strings.Contains(before, "role ")):
	default:
		return i + 1
	}
	return s.judge(&v)
}

// putty takes the lines below "Private-Lines: 8".
func (s *scanner) putty(i int) int {
	const head = "Private-Lines: "
	if !strings.HasPrefix(s.text[i:], head) {
		return i + 1
	}
	body := s.run(i+len(head), digit)
	end := body
	for end < len(s.text) && (classes[s.text[end]]&base64 != 0 || strings.IndexByte("\r\n\\", s.text[end]) >= 0) {
		end++
	}
	if rest := strings.LastIndex(s.text[body:end], "Private"); rest > 0 && s.at(end) == '-' {
		end = body + rest
	}
	for body < end && classes[s.text[body]] == 0 {
		body++
	}
	if s.at(body-1) == '\\' && s.at(body) == 'n' { // an escaped line end
		body++
	}
	for end > body && classes[s.text[end-1]] == 0 {
		end--
	}
	if end-body < 24 {
		return i + 1
	}
	return s.add("private-key", body, end)
}
