package approvals

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/trammel-dev/trammel/internal/files"
	"golang.org/x/crypto/argon2"
)

// Keyring is the file with the keys of this machine: the authority's, sealed
// with a secret that only a person knows, and the server's.
type Keyring struct {
	Authority *Sealed             `json:"authority,omitempty"`
	Servers   []ed25519.PublicKey `json:"servers,omitempty"`
}

// Sealed is a private key, encrypted with a secret.
type Sealed struct {
	Public ed25519.PublicKey `json:"public"`
	Salt   []byte            `json:"salt"`
	Nonce  []byte            `json:"nonce"`
	Box    []byte            `json:"box"`
}

// The sizes of AES-GCM.
const nonceSize, tagSize = 12, 16

// ErrSecret is returned for a secret that does not unlock the key.
var ErrSecret = errors.New("this is not the authority secret")

// keyringFile is where the keys of a state directory are.
func keyringFile(state string) string { return filepath.Join(state, "approvals", "keys.json") }

// maxKeyring is the maximum size of its file.
const maxKeyring = 1 << 20

// whole reports keys of a wrong length, which cannot check anything, and a
// sealed one that no secret could open.
func (k *Keyring) whole() error {
	keys := k.Servers
	if a := k.Authority; a != nil {
		keys = append(slices.Clone(keys), a.Public)
		if len(a.Nonce) != nonceSize || len(a.Box) != ed25519.SeedSize+tagSize {
			return errors.New("the sealed key in it has the wrong length")
		}
	}
	if slices.ContainsFunc(keys, func(key ed25519.PublicKey) bool { return len(key) != ed25519.PublicKeySize }) {
		return errors.New("a key in it has the wrong length")
	}
	return nil
}

// LoadKeyring reads the keys; it is empty if there is no file.
func LoadKeyring(state string) (*Keyring, error) {
	k := &Keyring{}
	data, err := files.ReadInside(filepath.Dir(keyringFile(state)), filepath.Base(keyringFile(state)), maxKeyring)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return k, nil
	case err != nil:
		return nil, err
	}
	if err = json.Unmarshal(data, k); err == nil {
		err = k.whole()
	}
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: %w; restore it from a backup, or move it away and set a new secret with: trammel approvals unlock",
			keyringFile(state), err)
	}
	return k, nil
}

// AuthorityKeys are the ids of the keys that tombstones may be signed with:
// those given, or those that the authority secret of a state directory unlocks.
func AuthorityKeys(state string, given ...string) ([]string, error) {
	for _, id := range given {
		if !strings.HasPrefix(id, "key_") {
			return nil, fmt.Errorf("found the authority key %q, expected one such as key_…, as trammel approvals unlock prints it", id)
		}
	}
	if len(given) > 0 {
		return given, nil
	}
	ring, err := LoadKeyring(state)
	if err != nil {
		return nil, err
	}
	return slices.Collect(maps.Keys(ring.Keys().Authority)), nil
}

// Save writes the keys.
func (k *Keyring) Save(state string) error {
	data, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(keyringFile(state)), 0o700); err != nil {
		return err
	}
	return files.Replace(keyringFile(state), data)
}

// Keys are the public keys.
func (k *Keyring) Keys() Keys {
	keys := Keys{Servers: Named(k.Servers...), Authority: map[string]ed25519.PublicKey{}}
	if k.Authority != nil {
		keys.Authority = Named(k.Authority.Public)
	}
	return keys
}

// Seal makes a new key that this secret unlocks.
func Seal(secret string) (*Sealed, error) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	return PrivateKey(private).Seal(secret)
}

// Seal encrypts a key with a secret.
func (k PrivateKey) Seal(secret string) (*Sealed, error) {
	private := ed25519.PrivateKey(k)
	s := &Sealed{Public: private.Public().(ed25519.PublicKey), Salt: make([]byte, 16), Nonce: make([]byte, nonceSize)}
	rand.Read(s.Salt)
	rand.Read(s.Nonce)
	box, err := s.cipher(secret)
	if err != nil {
		return nil, err
	}
	s.Box = box.Seal(nil, s.Nonce, private.Seed(), s.Public)
	return s, nil
}

// Open returns the private key.
func (s *Sealed) Open(secret string) (PrivateKey, error) {
	box, err := s.cipher(secret)
	if err != nil {
		return nil, err
	}
	seed, err := box.Open(nil, s.Nonce, s.Box, s.Public)
	if err != nil {
		return nil, ErrSecret
	}
	return PrivateKey(ed25519.NewKeyFromSeed(seed)), nil
}

// deriving is held while a key is derived.
var deriving sync.Mutex

// memory is what one guess at a secret costs, in KiB. Only programs for tests are linked
// with less: see TEST_LDFLAGS in the Makefile.
var memory = "65536"

// cipher derives the key from the secret. It costs 64 MB and about a tenth of a
// second, so that guessing is slow. That is more than a server needs for
// everything else, so only one key is derived at a time, and the memory is
// freed.
func (s *Sealed) cipher(secret string) (cipher.AEAD, error) {
	kib, err := strconv.ParseUint(memory, 10, 32)
	if err != nil {
		return nil, err
	}
	deriving.Lock()
	key := argon2.IDKey([]byte(secret), s.Salt, 2, uint32(kib), 2, 32)
	debug.FreeOSMemory()
	deriving.Unlock()
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
