package feishu

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"hash"
)

var errDecrypt = errors.New("it cannot be decrypted")

// decrypt opens an encrypted callback: base64 of 16 bytes of IV and of
// AES-256-CBC with PKCS #7, under the digest of the encrypt key.
func decrypt(key, text string) ([]byte, error) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(data) < 2*aes.BlockSize || len(data)%aes.BlockSize != 0 {
		return nil, errDecrypt
	}
	sum := sha256.Sum256([]byte(key))
	block, err := aes.NewCipher(sum[:])
	if err != nil {
		return nil, errDecrypt
	}
	iv, data := data[:aes.BlockSize], data[aes.BlockSize:]
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(data, data)
	return unpad(data)
}

// unpad removes the padding, all of which must be valid.
func unpad(data []byte) ([]byte, error) {
	n := int(data[len(data)-1])
	if n == 0 || n > aes.BlockSize {
		return nil, errDecrypt
	}
	for _, b := range data[len(data)-n:] {
		if int(b) != n {
			return nil, errDecrypt
		}
	}
	return data[:len(data)-n], nil
}

// signature covers the body as it was received. With an encrypt key it is
// SHA-256; older callbacks sign with the verification token and SHA-1.
func signature(h hash.Hash, timestamp, nonce, secret string, body []byte) string {
	h.Write([]byte(timestamp + nonce + secret))
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

func signature2(timestamp, nonce, key string, body []byte) string {
	return signature(sha256.New(), timestamp, nonce, key, body)
}

func signature1(timestamp, nonce, token string, body []byte) string {
	return signature(sha1.New(), timestamp, nonce, token, body)
}

// same compares in constant time. Nothing equals an empty secret.
func same(given, secret string) bool {
	return secret != "" && subtle.ConstantTimeCompare([]byte(given), []byte(secret)) == 1
}
