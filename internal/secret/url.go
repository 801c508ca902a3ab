package secret

import "strings"

// url looks at the user information of an address whose scheme ends at i:
// scheme://user:password@host.
func (s *scanner) url(i int) int {
	start := i + len("://")
	end := start // where the address ends at the latest
	slash := -1  // where its path should begin
	for ; end < min(len(s.text), start+look); end++ {
		c := s.text[end]
		if c <= ' ' || c == '"' || c == '\'' || c == '`' || c == '<' || c == '>' || c == '\\' {
			break
		}
		if c == ':' && strings.HasPrefix(s.text[end:], "://") { // the next address
			break
		}
		if slash < 0 && (c == '/' || c == '?' || c == '#') {
			slash = end
		}
	}
	if slash < 0 {
		slash = end
	}
	at := strings.LastIndexByte(s.text[start:slash], '@')
	if at < 0 && passwordBegins(s.text[start:slash]) {
		// A password may hold a slash that should have been escaped.
		at = strings.LastIndexByte(s.text[start:end], '@')
	}
	if at < 0 {
		return start
	}
	return s.userinfo(s.text[max(0, i-16):i], start, start+at)
}

// passwordBegins reports whether what should be host:port has no port.
func passwordBegins(authority string) bool {
	_, port, found := strings.Cut(authority, ":")
	c, other := classOf(port)
	return found && port != "" && (c != digit || other) && !strings.HasPrefix(port, "$") && !strings.HasPrefix(port, "{")
}

func (s *scanner) userinfo(scheme string, start, at int) int {
	if marked(s.text[start:at]) > 0 {
		return start
	}
	user, password, found := strings.Cut(s.text[start:at], ":")
	if !found {
		if len(user) >= 20 && opaque(user) && !placeholder(user) && !reports(s.text[at+1:]) {
			return s.add(specific(user, "url-token"), start, at)
		}
		return start
	}
	switch {
	case placeholder(password):
		return at // x-access-token:$TOKEN@host gives no value under a name either
	case len(password) < minValue:
		return start
	}
	return s.add(specific(password, urlKind(scheme)), start+len(user)+1, at)
}

// reports reports whether an address is where a program sends its errors to. Its key
// is in what everybody is given, as in the code of a page.
func reports(address string) bool {
	host, _, _ := strings.Cut(address, "/")
	return host == "sentry.io" || strings.HasSuffix(host, ".sentry.io")
}

// urlKind tells a database's address from others by the end of its scheme.
func urlKind(before string) string {
	for _, scheme := range [...]string{"postgres", "postgresql", "mysql", "mariadb", "mongodb", "mongodb+srv", "redis", "rediss", "amqp",
		"amqps", "sqlserver"} {
		if strings.HasSuffix(before, scheme) {
			return "database-password"
		}
	}
	return "url-password"
}
