package paths

import (
	"path"
	"slices"
	"strings"
)

// Secret reports whether a file is one that holds credentials: private keys,
// tokens, passwords, environment files. Public halves and examples are none.
func (g *Ground) Secret(p Path) bool {
	if !p.Known() {
		return false
	}
	abs := slashes(p.Abs)
	dir, name := path.Split(abs)
	lower := strings.ToLower(name)
	switch path.Ext(lower) {
	case ".pub", ".example", ".sample", ".template", ".dist", ".tmpl", ".md", ".crt", ".cer":
		return false
	case ".pem", ".key", ".p12", ".pfx", ".keystore", ".jks", ".ppk", ".kdbx", ".asc", ".gpg", ".keychain", ".keychain-db", ".tfstate":
		return !strings.Contains(lower, "public") && !strings.Contains(lower, ".pub.") && !strings.HasSuffix(abs, "/trusted.gpg")
	}
	if env, ok := strings.CutPrefix(lower, ".env"); ok && (env == "" || env[0] == '.' || env[0] == '*' || env[0] == '-') {
		return true
	}
	switch lower {
	case ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".git-credentials", ".htpasswd", ".vault-token", ".envrc",
		".dockercfg", ".s3cfg", ".boto",
		"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_*", "id_?sa", "credentials.json", "service-account.json", "service_account.json",
		"secrets.yml", "secrets.yaml", "secrets.json", "secrets.toml", "master.key",
		".terraformrc", "terraform.rc", "kubeconfig", "wallet.dat", "cookies.sqlite", "logins.json", "key4.db", "login data":
		return true
	case "shadow", "gshadow", "master.passwd", "sudoers":
		return strings.HasPrefix(dir, "/etc/") || strings.HasPrefix(dir, "/private/etc/")
	case "credentials", "credentials.toml", "config", "config.json", "hosts.yml", "auth.json", "access_tokens.db", "credentials.db",
		"application_default_credentials.json", "accesstokens.json", "msal_token_cache.json", ".credentials.json", "environ":
		return secretHolder(dir, lower)
	}
	return secretDir(p, dir, lower)
}

// secretHolder says in which folders a common name is a secret.
func secretHolder(dir, name string) bool {
	switch parent := path.Base(dir); name {
	case "credentials":
		return parent == ".aws" || parent == ".cargo" || parent == ".gem" || parent == ".oci" || parent == "gh"
	case "credentials.toml":
		return parent == ".cargo"
	case "config":
		return parent == ".kube"
	case "config.json":
		return parent == ".docker" || parent == ".kube"
	case "hosts.yml":
		return parent == "gh" || parent == "hub"
	case "environ":
		return strings.HasPrefix(dir, "/proc/")
	case "auth.json", ".credentials.json":
		return strings.HasPrefix(parent, ".") || parent == "opencode" || parent == "containers"
	}
	return strings.Contains(dir, "/gcloud/") || strings.Contains(dir, "/.azure/")
}

// secretDir says in which folders everything is a secret, apart from what is
// known to be harmless.
func secretDir(p Path, dir, name string) bool {
	switch {
	case strings.HasSuffix(dir, "/.ssh/"):
		return name != "known_hosts" && name != "config" && name != "authorized_keys" && name != "known_hosts.old"
	case strings.Contains(dir, "/.gnupg/"):
		return strings.Contains(dir, "/private-keys") || p.Glob || strings.HasPrefix(name, "secring")
	case strings.HasSuffix(dir, "/.aws/"), strings.HasSuffix(dir, "/.kube/"), strings.HasSuffix(dir, "/.docker/"):
		return p.Glob
	case strings.Contains(dir, "/library/keychains/"), strings.Contains(dir, "/Library/Keychains/"), strings.Contains(dir,
		"/.password-store/"), strings.Contains(dir, "/.local/share/keyrings/"):
		return true
	}
	return strings.HasPrefix(p.Abs, "/run/secrets/") || strings.HasPrefix(p.Abs, "/var/run/secrets/")
}

// SecretTree reports whether a folder is one that holds secrets, so that who
// takes all of it takes them, too.
func (g *Ground) SecretTree(p Path) bool {
	r := reachOf(p)
	if homes := g.Homes(); len(homes) > 0 && (slices.Contains(homes, r.base) || r.base == "/home" || r.base == "/Users") {
		return true
	}
	switch path.Base(r.base) {
	case ".ssh", ".aws", ".gnupg", ".kube", ".docker", ".azure", "gcloud", ".password-store", "Keychains", "keyrings":
		return true
	}
	return false
}
