package secret

import "strings"

// keyRule is what the name of a value says about it.
type keyRule struct {
	kind string
	// suffix ends the name, without punctuation and in lower case.
	suffix string
	trust  trust
	// whole: the suffix has to be a word of its own ("db_pass", not "bypass").
	whole bool
}

// trust is how far a name alone makes its value a secret.
type trust uint8

const (
	unnamed trust = iota
	hint          // only what looks random, and is no digest or identifier
	likely        // only what looks random
	named         // whatever is no ordinary word
	strong        // whatever is there
	header        // the rest of the line, in its own way
)

// keyNames are ordered by the last letter of the suffix, longest first, so
// that a name costs a look at the few that it can end with.
var keyNames = [26][]keyRule{
	0: {{"private-key", "clientkeydata", named, false}},
	'd' - 'a': {{"cookie", "sessionid", hint, false}, {"cookie", "sessid", hint, false}, {"password", "password", strong, false},
		{"password", "passwd", strong, false}, {"password", "pwd", strong, true}},
	'e' - 'a': {
		{"password", "passphrase", strong, false}, {"password", "passcode", strong, false},
		{"secret-key", "secretkeybase", named, false}, {"cookie", "cookie", header, false}, {"signature", "signature", hint, false},
	},
	'g' - 'a': {{"signature", "sig", hint, true}},
	'h' - 'a': {{"token", "auth", hint, true}},
	'l' - 'a': {{"credentials", "credential", hint, false}},
	'n' - 'a': {{"authorization", "authorization", header, false}, {"token", "token", named, false}},
	'r' - 'a': {{"bearer-token", "bearer", likely, true}},
	's' - 'a': {
		{"credentials", "credentials", named, false}, {"password", "passwords", strong, false}, {"secret", "secrets", named, false},
		{"cookie", "cookies", named, false}, {"api-key", "apikeys", named, false}, {"token", "tokens", named, false},
		{"password", "pass", strong, true},
	},
	'k' - 'a': {{"password", "psk", named, true}},
	't' - 'a': {{"secret", "secret", named, false}, {"token", "jwt", named, true}, {"token", "pat", hint, true}},
	'w' - 'a': {{"password", "pw", strong, true}},
	'y' - 'a': {
		{"aws-secret-key", "awssecretaccesskey", strong, false}, {"azure-storage-key", "accountkey", named, false},
		{"azure-access-key", "sharedaccesskey", named, false}, {"private-key", "privatekey", named, false},
		{"secret-key", "secretkey", named, false}, {"access-key", "accesskey", named, false}, {"api-key", "apikey", named, false},
		{"key", "subscriptionkey", likely, false}, {"key", "encryptionkey", likely, false}, {"key", "consumerkey", likely, false},
		{"key", "signingkey", likely, false}, {"key", "licensekey", likely, false}, {"key", "servicekey", likely, false},
		{"key", "storagekey", likely, false}, {"key", "sessionkey", likely, false}, {"key", "masterkey", likely, false},
		{"key", "sharedkey", likely, false}, {"key", "clientkey", likely, false}, {"key", "adminkey", likely, false},
		{"key", "writekey", likely, false}, {"key", "authkey", likely, false}, {"key", "hmackey", likely, false},
		{"key", "appkey", likely, false},
		{"", "publickey", unnamed, false}, {"", "cachekey", unnamed, false}, {"", "publishablekey", unnamed, false}, {"key", "key", hint, true},
	},
}

// ruleOf returns what a name says, or nil if it says nothing.
func ruleOf(name string) *keyRule {
	if name == "PWD" || name == "OLDPWD" { // the directory of a shell
		return nil
	}
	end := len(name)
	for end > 0 && classes[name[end-1]]&letters == 0 { // "password2", "api_key_1"
		end--
	}
	if end == 0 || len(name)-end > 3 {
		return nil
	}
	rules := keyNames[name[end-1]|0x20-'a']
	for i := range rules {
		if r := &rules[i]; r.ends(name[:end]) {
			if r.trust == unnamed {
				return nil
			}
			return r
		}
	}
	return nil
}

// ends reports whether name ends with the rule's suffix.
func (r *keyRule) ends(name string) bool {
	at := len(name)
	for k := len(r.suffix) - 1; k >= 0; k-- {
		for at > 0 && (name[at-1] == '_' || name[at-1] == '-' || name[at-1] == '.') {
			at--
		}
		if at == 0 || name[at-1]|0x20 != r.suffix[k] {
			return false
		}
		at--
	}
	if !r.whole || at == 0 || classes[name[at-1]]&alnum == 0 {
		return true
	}
	return classes[name[at]]&upper != 0 && classes[name[at-1]]&lower != 0 // dbPass
}

// secretPart says which bytes of a value are secret, given the rule of its
// name. quoted means that the value's end is certain.
func (r *keyRule) secretPart(value string, quoted bool) (start, end int, ok bool) {
	if r.trust == header {
		return headerPart(r, value, quoted)
	}
	if len(value) < minValue || placeholder(value) {
		return 0, 0, false
	}
	c, other := classOf(value)
	switch r.trust {
	case strong:
		ok = true
	case named:
		if name(value, c, other) || version(value) || color(value) {
			return 0, 0, false
		}
		ok = quoted && (c&digit == 0 || c&letters != 0 || other) || !quoted && c&letters != 0 && (c&digit != 0 || c&upper != 0 || other)
		ok = ok || len(value) >= 16 && c&digit != 0
	case hint, likely:
		ok = len(value) >= 16 && !strings.ContainsAny(value, " \t\n(){}<>") && random(value) && (r.trust == likely || !identity(value))
	}
	return 0, len(value), ok
}

// name reports whether a value of these classes names something: a short word
// ("same-origin"), or a variable of the environment.
func name(value string, c class, other bool) bool {
	if other || c&lower != 0 && c&upper != 0 || c&^(letters|minus|under) != 0 {
		return false
	}
	return len(value) < 16 || c&lower == 0 && c&under != 0
}

// color reports whether s is a colour: #f8f8f2
func color(s string) bool {
	c, other := classOf(s[1:])
	return s[0] == '#' && len(s) <= 9 && !other && c&^(alnum) == 0
}

// version reports whether s is the version of a package: ^4.0.0
func version(s string) bool {
	s = strings.TrimLeft(s, "^~<>=v ")
	c, other := classOf(s)
	return !other && c&digit != 0 && c&^(digit|period) == 0
}

// minValue is the length below which a value under a telling name stays: too
// short to be worth stealing, and most often a word.
const minValue = 6

// headerPart finds the secret in the value of an Authorization or Cookie header.
func headerPart(r *keyRule, value string, quoted bool) (start, end int, ok bool) {
	scheme := false
	if first, _, found := strings.Cut(value, " "); found {
		switch strings.ToLower(first) {
		case "bearer", "basic", "token", "digest", "negotiate", "apikey", "aws4-hmac-sha256", "signature":
			scheme, start = true, len(first)+1
		}
	}
	rest := value[start:]
	switch {
	case len(rest) < minValue || placeholder(rest) || version(rest) || strings.HasPrefix(rest, "${"):
		return 0, 0, false
	case scheme || quoted:
		ok = true
	case r.kind == "cookie":
		ok = strings.Contains(rest, "=")
	default:
		first, _, _ := strings.Cut(rest, " ")
		ok = opaque(first)
	}
	return start, len(value), ok
}

// specific returns the kind of a value whose shape tells more than its name.
func specific(value, kind string) string {
	if len(value) > look {
		return kind
	}
	s := scanner{text: value, shapesOnly: true}
	s.scan()
	if len(s.found) == 1 && s.found[0].Start == 0 && s.found[0].End == len(value) {
		return s.found[0].Kind
	}
	return kind
}
