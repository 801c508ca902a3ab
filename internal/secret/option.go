package secret

import "strings"

// option looks at --name value on a command line; i is behind the dashes. The
// form --name=value is an assignment.
func (s *scanner) option(i int) (int, bool) {
	end := s.run(i, token)
	if end == i || s.at(end) != ' ' {
		return 0, false
	}
	name := s.text[i:end]
	at := end + 1
	if name == "user" || name == "proxy-user" {
		return s.userPassword(at)
	}
	rule := ruleOf(name)
	if rule == nil || rule.trust == header || s.at(at) == '-' || rule.kind == "password" && s.repeatsUser(i, at) {
		return 0, false
	}
	stop := s.judge(&value{rule: rule, name: name, at: at, next: end, tight: true})
	return stop, stop > end
}

// repeatsUser reports whether the value at a place is also the user that the command
// has named before: -u app --pw app, which is how databases for tests are set up.
func (s *scanner) repeatsUser(i, at int) bool {
	text := s.text[at:min(len(s.text), at+look)]
	if end := strings.IndexAny(text, " \t\r\n;&|"); end >= 0 {
		text = text[:end]
	}
	words := strings.Fields(ofCommand(s.text[max(0, i-glance):i]))
	for n := 1; n < len(words); n++ {
		if o := words[n-1]; words[n] == text && (o == "-u" || o == "--user" || o == "--username") {
			return true
		}
	}
	return false
}

// shortOption looks at the one-letter options that carry passwords: curl -u,
// sshpass -p, docker login -p, mysql -p, redis-cli -a. i is at the dash.
func (s *scanner) shortOption(i int) (int, bool) {
	if s.at(i-1) != ' ' {
		return 0, false
	}
	before, at := ofCommand(s.text[max(0, i-glance):i]), i+2
	switch s.at(i + 1) {
	case 'u':
		if s.at(at) == ' ' && strings.Contains(before, "curl") {
			return s.userPassword(at + 1)
		}
		return 0, false
	case 'a':
		if s.at(at) != ' ' || !strings.Contains(before, "redis-cli") {
			return 0, false
		}
		at++
	case 'p':
		switch {
		case strings.HasSuffix(before, "sshpass "):
			if s.at(at) == ' ' {
				at++
			}
		case s.at(at) == ' ':
			if !strings.Contains(before, "docker login") && !strings.Contains(before, "podman login") {
				return 0, false
			}
			at++
		case !strings.Contains(before, "mysql"):
			return 0, false
		}
	default:
		return 0, false
	}
	stop := s.judge(&value{rule: &optionPassword, at: at, next: i, tight: true})
	return stop, stop > i
}

// ofCommand is what belongs to the last command of a text.
func ofCommand(text string) string {
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ';', '|', '&':
			return text[i+1:]
		case '\n':
			if i == 0 || text[i-1] != '\\' && text[i-1] != '\r' {
				return text[i+1:]
			}
		}
	}
	return text
}

var optionPassword = keyRule{kind: "password", trust: strong}

// userPassword looks at user:password at i.
func (s *scanner) userPassword(i int) (int, bool) {
	start, end, quoted := s.quoted(i)
	if !quoted {
		start = i
		end, _ = s.bare(&optionPassword, i, false, look)
	}
	user, password, found := strings.Cut(s.text[start:end], ":")
	if !found || strings.ContainsAny(user, " /") || len(password) < minValue || placeholder(password) {
		return 0, false
	}
	return s.add(specific(password, "basic-auth"), start+len(user)+1, end), true
}
