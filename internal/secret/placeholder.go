package secret

import "strings"

// placeholder reports whether a value only stands where a secret would be: a
// variable, a mask, our own mark, or nothing but words like "your-api-key".
func placeholder(v string) bool {
	switch {
	case v == "":
		return true
	case marked(v) == len(v):
		return true
	case v[0] == '<' && v[len(v)-1] == '>', strings.HasPrefix(v, "{{") && strings.HasSuffix(v, "}}"),
		v[0] == '%' && v[len(v)-1] == '%':
		return true
	case v[0] == '$':
		return variable(v) || below(v)
	case v[0] == '{' && v[len(v)-1] == '}': // Python's f"Bearer {token}"
		return variable("$" + v[1:len(v)-1])
	case strings.HasPrefix(v, `\$`): // for another shell
		return variable(v[1:])
	case (strings.HasSuffix(v, "...") || strings.HasSuffix(v, "…")) && len(v) <= 11: // sbp_...
		return true
	}
	return sameByte(v) || onlyWords(v) || verifies(v) || refers(v)
}

// refers reports whether v says where a secret is: env:NAME of a variable, or
// id=npm,src=.npmrc of a build.
func refers(v string) bool {
	if name, ok := strings.CutPrefix(v, "env:"); ok {
		c, other := classOf(name)
		return name != "" && !other && c&^(upper|digit|under) == 0
	}
	id, from, ok := strings.Cut(v, ",")
	return ok && strings.HasPrefix(id, "id=") && (strings.HasPrefix(from, "src=") || strings.HasPrefix(from, "source=") ||
		strings.HasPrefix(from, "env=") || strings.HasPrefix(from, "type="))
}

// verifies reports whether v is a public key of a signer, as in acme+7d230d00+AcVd…:
// a name, a hash and what begins like a key, which opens nothing.
func verifies(v string) bool {
	name, rest, ok := strings.Cut(v, "+")
	hash, key, found := strings.Cut(rest, "+")
	return ok && found && name != "" && name != "PRIVATE" && len(hash) == 8 && strings.Trim(hash, "0123456789abcdef") == "" &&
		len(key) == 44 && key[0] == 'A'
}

// variable reports whether v is $NAME, $env:NAME, ${…} or $(…), and nothing more. In
// $accessToken, the name says so; $aB3dE9 may be a password.
func variable(v string) bool {
	if len(v) > 5 && strings.EqualFold(v[1:5], "env:") { // PowerShell
		v = "$" + v[5:]
	}
	if len(v) < 2 {
		return false
	}
	switch v[1] {
	case '{':
		return strings.IndexByte(v, '}') == len(v)-1 || strings.HasPrefix(v, "${{") && strings.HasSuffix(v, "}}")
	case '(':
		return true
	}
	c, other := classOf(v[1:])
	return !other && c&^word == 0 && classes[v[1]]&(letters|under) != 0 && (c&lower == 0 || c&(upper|digit) == 0 || ruleOf(v[1:]) != nil)
}

// below reports whether v is a file below a folder that a variable names:
// $RUNNER_TEMP/key.pem.
func below(v string) bool {
	folder, file, ok := strings.Cut(v, "/")
	c, other := classOf(file)
	return ok && len(folder) > 4 && variable(folder) && file != "" && !other && c&(upper|digit|plus) == 0
}

// sameByte reports whether v is a mask: ******, xxxxxx, ......
func sameByte(v string) bool {
	for i := 1; i < len(v); i++ {
		if v[i] != v[0] {
			return false
		}
	}
	return true
}

// onlyWords splits v at punctuation and at humps (yourApiKey), and reports
// whether each part is a word that people write where a secret would be.
func onlyWords(v string) bool {
	others, yours := 0, false
	for at := 0; at < len(v); {
		c := classes[v[at]]
		switch {
		case c&digit != 0 || c == 0 && v[at] != ' ' && v[at] != '*' && v[at] != ',' && v[at] != ';':
			return false
		case c&letters == 0:
			at++
			continue
		}
		end := at + 1
		for end < len(v) && classes[v[end]]&letters != 0 && !(classes[v[end]]&upper != 0 && classes[v[end-1]]&lower != 0) {
			end++
		}
		yours = yours || strings.EqualFold(v[at:end], "your")
		if !placeholderWord(v[at:end]) {
			if others++; end-at > 11 { // sbp_your_token_here, your-github-token, but no long text
				return false
			}
		}
		at = end
	}
	return others == 0 || others == 1 && yours
}

func placeholderWord(w string) bool {
	if len(w) > 11 {
		return false
	}
	var folded [11]byte
	for i := 0; i < len(w); i++ {
		folded[i] = w[i] | 0x20
	}
	switch string(folded[:len(w)]) {
	case "a", "access", "admin", "an", "any", "api", "apikey", "app", "auth", "basic", "bearer", "bool", "boolean", "bytes",
		"change", "changeme", "changeit", "client", "const", "credential", "credentials", "db", "default", "demo", "dummy", "env",
		"example", "fake", "false", "field", "fixme", "foo", "foobar", "from", "get", "goes", "here", "hidden", "id", "in",
		"input", "insert", "int", "is", "it", "key", "masked", "me", "missing", "mock", "my", "name", "new", "nil", "none", "not",
		"null", "number", "object", "of", "omitted", "optional", "or", "passphrase", "passwd", "password", "pat", "placeholder",
		"postgres", "private", "put", "redacted", "replace", "req", "request", "required", "res", "sample", "secret", "self",
		"set", "some", "str", "string", "system", "tbd", "test", "text", "the", "this", "to", "todo", "token", "true", "type",
		"undefined", "unknown", "unset", "user", "username", "value", "var", "with", "xxx", "xxxx", "xxxxx", "xxxxxx",
		"xxxxxxxx", "your", "yourtoken":
		return true
	}
	return sameByte(w)
}
