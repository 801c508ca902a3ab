package web

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/procgroup"
)

// secretPrefix begins variables that say where a secret is (MCP-63): file:PATH,
// or keyring:SERVICE/ACCOUNT. They are separate variables: a header often comes
// from whoever configured the server, and must not make us read a file.
const secretPrefix = "TRAMMEL_MCP_SECRET_"

const (
	maxSecret   = 64 << 10
	keyringTime = time.Minute // the system may ask its user
)

// expanded replaces ${NAME} in a text: by the secret of this name, or else the
// variable.
func expanded(text string, env []string) (string, error) {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "${")
		name, after, closed := strings.Cut(rest, "}")
		if !ok || !closed {
			out.WriteString(text)
			return out.String(), nil
		}
		value, err := valueOf(name, env)
		if err != nil {
			return "", err
		}
		out.WriteString(before + value)
		text = after
	}
}

func valueOf(name string, env []string) (string, error) {
	if where, ok := variable(secretPrefix+name, env); ok {
		secret, err := secretAt(where, env)
		if err != nil {
			return "", fmt.Errorf("%s%s: %w", secretPrefix, name, err)
		}
		return secret, nil
	}
	value, ok := variable(name, env)
	if !ok {
		return "", fmt.Errorf("the variable %s is not set", name)
	}
	return value, nil
}

func variable(name string, env []string) (value string, ok bool) {
	i := slices.IndexFunc(env, func(v string) bool { return strings.HasPrefix(v, name+"=") })
	if i < 0 {
		return "", false
	}
	return env[i][len(name)+1:], true
}

// secretAt reads a secret from its place.
func secretAt(where string, env []string) (secret string, err error) {
	kind, rest, _ := strings.Cut(where, ":")
	service, account, two := strings.Cut(rest, "/")
	switch {
	case kind == "file" && filepath.IsAbs(rest):
		secret, err = secretFile(rest)
	case kind == "keyring" && two && service != "" && account != "":
		secret, err = fromKeyring(service, account, env)
	default:
		err = errors.New("expected file: and an absolute path, or keyring:SERVICE/ACCOUNT")
	}
	if err == nil && secret == "" {
		err = errors.New("it is empty")
	}
	return secret, err
}

// secretFile reads a file that only its user can read.
func secretFile(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() || info.Size() > maxSecret:
		return "", fmt.Errorf("%s is not a file, or has more than %d bytes", path, maxSecret)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", fmt.Errorf("%s can be read by others: chmod 600 it", path)
	}
	text, err := os.ReadFile(path)
	return strings.TrimSpace(string(text)), err
}

// fromKeyring asks the system's keyring, using the system's own program.
func fromKeyring(service, account string, env []string) (string, error) {
	args := keyring(runtime.GOOS, service, account)
	ctx, stop := context.WithTimeout(context.Background(), keyringTime)
	defer stop()
	got, err := procgroup.Run(ctx, procgroup.Command{Args: args, MaxOutput: maxSecret,
		Env: append(slices.Clone(env), "TRAMMEL_KEYRING_SERVICE="+service, "TRAMMEL_KEYRING_ACCOUNT="+account)})
	if err == nil && got.Exit != 0 {
		err = fmt.Errorf("%s has no secret of the service %q and the account %q", args[0], service, account)
	}
	return strings.TrimSpace(string(got.Stdout)), err
}

func keyring(system, service, account string) []string {
	switch system {
	case "darwin":
		return []string{"security", "find-generic-password", "-s", service, "-a", account, "-w"}
	case "windows": // the names are data, not part of the script
		return []string{"powershell", "-NoProfile", "-NonInteractive", "-Command", vault}
	}
	return []string{"secret-tool", "lookup", "service", service, "account", account}
}

// vault reads from the Credential Locker.
const vault = `[void][Windows.Security.Credentials.PasswordVault,Windows.Security.Credentials,ContentType=WindowsRuntime]; ` +
	`$c = (New-Object Windows.Security.Credentials.PasswordVault).Retrieve($env:TRAMMEL_KEYRING_SERVICE, $env:TRAMMEL_KEYRING_ACCOUNT); ` +
	`$c.RetrievePassword(); [Console]::Out.Write($c.Password)`
