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
	if rule == nil || rule.trust == header || s.at(at) == '-' {
		return 0, false
	}
	stop := s.value(rule, at, true, false, end)
	return stop, stop > end
}

// shortOption looks at the one-letter options that carry passwords: curl -u,
// sshpass -p and mysql -p. i is at the dash.
func (s *scanner) shortOption(i int) (int, bool) {
	if s.at(i-1) != ' ' {
		return 0, false
	}
	switch before := s.text[max(0, i-look):i]; s.at(i + 1) {
	case 'u':
		if s.at(i+2) == ' ' && strings.Contains(before, "curl") {
			return s.userPassword(i + 3)
		}
	case 'p':
		at := i + 2
		switch {
		case strings.HasSuffix(before, "sshpass "):
			if s.at(at) == ' ' {
				at++
			}
		case s.at(at) == ' ' || !strings.Contains(before, "mysql"):
			return 0, false
		}
		stop := s.value(&optionPassword, at, true, false, i)
		return stop, stop > i
	}
	return 0, false
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
