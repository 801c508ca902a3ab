package secret

import "strings"

// dash handles what is distinguished by a dash: PEM blocks, options of
// commands, and prefixes such as glpat-.
func (s *scanner) dash(i int) int {
	end := i + 1
	for s.at(end) == '-' {
		end++
	}
	switch n := end - i; {
	case n >= 5:
		if stop, ok := s.pem(i, end); ok {
			return stop
		}
		return end
	case n == 2 && s.at(i-1) != '-':
		if stop, ok := s.option(end); ok {
			return stop
		}
		return end
	case n > 1:
		return end
	}
	if stop, ok := s.shortOption(i); ok {
		return stop
	}
	if stop, ok := s.mail(i); ok {
		return stop
	}
	return s.prefixed(dash, i)
}

// pem takes a private key with its marks. Line ends may be real or escaped. A
// block that is cut off counts as far as it looks like one; a mere mention of
// the first line does not.
func (s *scanner) pem(start, label int) (int, bool) {
	const kind = "private-key"
	rest := s.text[label:]
	if !strings.HasPrefix(rest, "BEGIN ") {
		return 0, false
	}
	close := strings.Index(rest[:min(len(rest), 80)], "-----")
	if close < 0 || !strings.Contains(rest[:close], "PRIVATE KEY") {
		return 0, false
	}
	body := label + close + len("-----")
	if !s.endless {
		if end := strings.Index(s.text[body:], "-----END "); end >= 0 {
			stop := body + end + len("-----END ")
			if n := strings.Index(s.text[stop:min(len(s.text), stop+80)], "-----"); n >= 0 {
				stop += n + len("-----")
			}
			return s.add(kind, start, stop), true
		}
		s.endless = true
	}
	stop := body
	for stop < len(s.text) && (classes[s.text[stop]] != 0 || strings.IndexByte(" \t\r\n\\:,", s.text[stop]) >= 0) {
		stop++
	}
	if stop-body < 24 {
		return 0, false
	}
	return s.add(kind, start, stop), true
}

func (s *scanner) dot(i int) int {
	if stop := s.prefixed(dot, i); stop > i+1 {
		return stop
	}
	if strings.HasPrefix(s.text[i+1:], "atlasv1.") {
		return s.terraform(i)
	}
	if stop, ok := s.airtable(i); ok {
		return stop
	}
	return s.discord(i)
}

// terraform: <14>.atlasv1.<60 and more>
func (s *scanner) terraform(i int) int {
	start := i
	for start > 0 && classes[s.text[start-1]]&alnum != 0 {
		start--
	}
	body := i + len(".atlasv1.")
	if end := s.run(body, token); i-start >= 10 && end-body >= 40 {
		return s.add("terraform-token", start, end)
	}
	return i + 1
}

// discord: <user id in base64, 23 to 28>.<6 or 7>.<27 and more>
func (s *scanner) discord(i int) int {
	if second := s.run(i+1, token); second-i != 7 && second-i != 8 || s.at(second) != '.' {
		return i + 1
	} else if end := s.run(second+1, token); end-second > 27 {
		start := i
		for start > 0 && classes[s.text[start-1]]&token != 0 {
			start--
		}
		for start < i && !s.starts(start) { // the run began before an escape
			start++
		}
		if n := i - start; n >= 23 && n <= 30 && opaque(s.text[second+1:end]) && entropy(s.text[second+1:end]) >= 3 {
			return s.add("discord-token", start, end)
		}
	}
	return i + 1
}

// jwt: a token whose parts are base64 of JSON. "eyJ" is what {" becomes.
func (s *scanner) jwt(i int) int {
	if s.at(i-1) != 'y' || s.at(i-2) != 'e' || !s.starts(i-2) {
		return i + 1
	}
	if strings.HasPrefix(s.text[i:], "JrIjoi") {
		if end := s.run(i, base64); end-i >= 60 && s.at(end) != '.' {
			return s.add("grafana-token", i-2, end)
		}
	}
	if i < s.noJWT {
		return i + 1
	}
	first := s.run(i, token)
	second := first
	if s.at(first) == '.' {
		second = s.run(first+1, token)
	}
	if first-i < 8 || second-i < 20 || s.at(second) != '.' {
		s.noJWT = first
		return i + 1
	}
	end := s.run(second+1, token)
	for s.at(end) == '.' && classes[s.at(end+1)]&token != 0 { // an encrypted one has five parts
		end = s.run(end+1, token)
	}
	return s.add("jwt", i-2, end)
}

// bearer: the word, in any case, and then the token.
func (s *scanner) bearer(i int) int {
	const name = "bearer"
	if i+len(name) >= len(s.text) || s.text[i+2]|0x20 != 'a' || !strings.EqualFold(s.text[i:i+len(name)], name) {
		return i + 1
	}
	body := i + len(name)
	for s.at(body) == ' ' || s.at(body) == '+' {
		body++
	}
	if strings.HasPrefix(s.text[body:], "%20") {
		body += len("%20")
	}
	if body == i+len(name) {
		return i + 1
	}
	end := s.runMax(body, anything, look)
	if value := s.text[body:end]; len(value) >= 12 && opaque(value) && !placeholder(value) {
		end = s.run(end, anything)
		return s.add(specific(s.text[body:end], "bearer-token"), body, end)
	}
	return i + 1
}

// opaque reports whether an unquoted word is no word of a language: it has a
// digit in it, or is too long and too mixed for one.
func opaque(s string) bool {
	c, _ := classOf(s)
	return c&digit != 0 && c&letters != 0 || c&lower != 0 && c&upper != 0 && len(s) >= 24 || c&digit != 0 && len(s) >= 16
}

// databricks: dapi<32 hex>, perhaps with -<digit> behind it. i is at the p.
func (s *scanner) databricks(i int) int {
	if s.at(i-1) != 'a' || s.at(i-2) != 'd' || s.at(i+1) != 'i' || !s.starts(i-2) {
		return i + 1
	}
	end := s.runMax(i+2, hex, 40)
	if end-i-2 != 32 || repetitive(s.text[i+2:end]) || classes[s.at(end)]&alnum != 0 {
		return i + 1
	}
	if s.at(end) == '-' && classes[s.at(end+1)]&digit != 0 {
		end += 2
	}
	return s.add("databricks-token", i-2, end)
}

// telegram: <8 to 10 digits>:<35>. i is at the colon.
func (s *scanner) telegram(i int) (int, bool) {
	start := i
	for start > 0 && i-start < 12 && classes[s.text[start-1]]&digit != 0 {
		start--
	}
	if n := i - start; n < 8 || n > 10 {
		return 0, false
	}
	end := s.runMax(i+1, token, 40)
	if n := end - i - 1; n < 34 || n > 36 || !opaque(s.text[i+1:end]) {
		return 0, false
	}
	return s.add("telegram-token", start, end), true
}
