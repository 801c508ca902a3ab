package secret

import "strings"

// SensitivePath reports whether files of that name are made of secrets, so
// that their content is not to be kept at all.
func SensitivePath(path string) bool {
	path = strings.ToLower(strings.ReplaceAll(strings.Trim(path, `"'`), `\`, "/"))
	dir, base := "", path
	if cut := strings.LastIndexByte(path, '/'); cut >= 0 {
		dir, base = path[:cut], path[cut+1:]
		dir = dir[strings.LastIndexByte(dir, '/')+1:]
	}
	switch base {
	case ".env", ".envrc", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", "pgpass.conf", ".my.cnf", ".git-credentials",
		".htpasswd", ".vault-token", ".dockercfg", ".boto", ".s3cfg", "credentials", "credentials.json", "credentials.db",
		"kubeconfig", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "shadow", "gshadow",
		"application_default_credentials.json", "terraform.tfstate", "secrets.yaml", "secrets.yml", "secrets.json",
		"secrets.toml", "secrets.env", ".secrets", "master.key", "service-account.json":
		return true
	case "config":
		return dir == ".kube"
	case "config.json":
		return dir == ".docker"
	case "hosts.yml":
		return dir == "gh"
	}
	if rest, ok := strings.CutPrefix(base, ".env."); ok {
		switch rest {
		case "example", "sample", "template", "dist", "defaults":
			return false
		}
		return true
	}
	for _, ending := range [...]string{".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".ppk", ".kdbx", ".tfvars", ".env", ".asc.key",
		".kubeconfig"} {
		if strings.HasSuffix(base, ending) {
			return true
		}
	}
	if dir == ".ssh" {
		return !strings.HasSuffix(base, ".pub") && base != "config" && !strings.HasPrefix(base, "known_hosts") && base != "authorized_keys"
	}
	return false
}

// NamesSensitivePath reports whether a command line has a word that is a
// sensitive path.
func NamesSensitivePath(command string) bool {
	for len(command) > 0 {
		end := strings.IndexAny(command, " \t\n\"'`=<>|;&(),:@")
		if end < 0 {
			end = len(command)
		}
		if end > 2 && SensitivePath(command[:end]) {
			return true
		}
		command = command[min(end+1, len(command)):]
	}
	return false
}
