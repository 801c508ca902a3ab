package recipes

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/paths"
)

// Unchecks reports whether a setting of a program that fetches code makes it believe
// anybody: no certificate is checked, or nothing is encrypted.
func Unchecks(name, value string) bool {
	name = strings.ToLower(name)
	switch name = name[strings.LastIndexByte(name, '.')+1:]; name {
	case "strict-ssl", "enablestrictssl", "ssl_verify", "ssl-verify", "sslverify", "gosumdb", "check_certificate", "ssl_verify_mode":
		switch strings.ToLower(value) {
		case "false", "0", "off", "no":
			return true
		}
	case "goinsecure", "gonosumdb", "trusted-host", "trusted_host", "allow-insecure-host", "unsafehttpwhitelist":
		return value != "" && !strings.HasPrefix(value, "-")
	case "registry", "index-url", "index_url", "extra-index-url", "npmregistryserver":
		host, _ := paths.HostOf(value)
		return strings.HasPrefix(value, "http://") && !Nearby(host)
	}
	return false
}

// Unchecked is the line of a file of settings that makes a program believe anybody, ""
// if there is none.
func Unchecked(name, text string) string {
	name = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	switch base := path.Base(name); base {
	case "pip.conf", "pip.ini", ".npmrc", ".yarnrc", ".yarnrc.yml", ".condarc", ".mambarc", ".curlrc", "_curlrc", ".wgetrc", ".gemrc",
		"bunfig.toml", ".bunfig.toml", "uv.toml":
	default:
		if !strings.HasSuffix(name, "/.cargo/config.toml") && !strings.HasSuffix(name, "/.bundle/config") {
			return ""
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "insecure" || line == "-k" || line == "--insecure" { // of curl
			return line
		}
		line = strings.TrimLeft(line, ":-\" ")
		if at := strings.IndexAny(line, "=:"); at > 0 && Unchecks(strings.Trim(line[:at], " \"'"), strings.Trim(line[at+1:], " \"'")) {
			return line
		}
	}
	return ""
}

// Nearby reports whether a host is this machine, or one of the same network by its name.
func Nearby(host string) bool {
	return host == "localhost" || strings.HasPrefix(host, "127.") || host == "::1" || host == "0.0.0.0" ||
		strings.HasSuffix(host, ".localhost") ||
		strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal") || strings.HasSuffix(host, ".test")
}
