package server

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/flock"
)

// KeyFile is where the server's private key is. Whoever can read it can decide
// for everybody. If agents run as the same user, only self-protection guards
// it: run the server as another user if that matters.
func KeyFile(state string) string { return filepath.Join(state, "approvals", "server.key") }

// OpenKey reads the server's key, makes it at the first start, and makes its
// votes and sessions count on this machine.
func OpenKey(ctx context.Context, state string) (approvals.PrivateKey, error) {
	file := KeyFile(state)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	held, err := flock.Lock(ctx, file+".lock")
	if err != nil {
		return nil, err
	}
	defer held.Unlock()
	key, err := readKey(file)
	if errors.Is(err, os.ErrNotExist) {
		key, err = makeKey(file)
	}
	if err != nil {
		return nil, err
	}
	ring, err := approvals.LoadKeyring(state)
	if err != nil {
		return nil, err
	}
	public := publicOf(key)
	if slices.ContainsFunc(ring.Servers, func(k ed25519.PublicKey) bool { return bytes.Equal(k, public) }) {
		return key, nil
	}
	ring.Servers = append(ring.Servers, public)
	return key, ring.Save(state)
}

func publicOf(key approvals.PrivateKey) ed25519.PublicKey {
	return ed25519.PrivateKey(key).Public().(ed25519.PublicKey)
}

// Trust is the value for approvals.trust on other machines, so that this
// server's votes count there.
func (s *Server) Trust() string {
	return "ed25519:" + base64.StdEncoding.EncodeToString(publicOf(s.key))
}

func readKey(file string) (approvals.PrivateKey, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s can be read by others: chmod 600 it, or remove it to get a new one if somebody may have read it", file)
	}
	text, err := files.ReadInside(filepath.Dir(file), filepath.Base(file), 1<<10)
	if err != nil {
		return nil, err
	}
	seed, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("%s is damaged; restore it from a backup, or remove it to get a new one, which other machines then have to trust",
			file)
	}
	return approvals.PrivateKey(ed25519.NewKeyFromSeed(seed)), nil
}

func makeKey(file string) (approvals.PrivateKey, error) {
	seed := make([]byte, ed25519.SeedSize)
	rand.Read(seed)
	if err := files.Create(file, []byte(base64.StdEncoding.EncodeToString(seed)+"\n"), 0o600); err != nil {
		return nil, err
	}
	return approvals.PrivateKey(ed25519.NewKeyFromSeed(seed)), nil
}
