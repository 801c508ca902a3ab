package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DeviceManagement makes files for device management out of the managed files of
// an operating system: a profile for macOS, registry entries and a script for
// Windows, nothing for others. The path of each is a name.
func DeviceManagement(goos string, files []ManagedFile) ([]ManagedFile, error) {
	switch goos {
	case "darwin":
		data, err := mobileconfig(files)
		return []ManagedFile{{Host: "device management", Path: "trammel.mobileconfig", Data: data}}, err
	case "windows":
		data, err := registry(files)
		return []ManagedFile{{Host: "device management", Path: "trammel.reg", Data: data},
			{Host: "device management", Path: "trammel-intune.ps1", Data: intune(files)}}, err
	}
	return nil, nil
}

// mobileconfig is a profile with the preferences of the agents that take them.
func mobileconfig(files []ManagedFile) ([]byte, error) {
	var content []any
	for _, f := range files {
		if f.known.Domain == "" {
			continue
		}
		more := map[string]any{}
		if key := f.known.Base64; key != "" {
			more[key] = base64.StdEncoding.EncodeToString(f.Data)
		} else if err := json.Unmarshal(f.Data, &more); err != nil {
			return nil, err
		}
		maps.Copy(more, payload(f.known.Domain, "dev.trammel."+f.Host, f.Data))
		content = append(content, more)
	}
	all := payload("Configuration", "dev.trammel", []byte(fmt.Sprint(content)))
	all["PayloadContent"], all["PayloadDisplayName"], all["PayloadScope"] = content, "Trammel", "System"
	var b bytes.Buffer
	b.WriteString(xml.Header + `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">` +
		"\n<plist version=\"1.0\">\n")
	err := plist(&b, all)
	b.WriteString("</plist>\n")
	return b.Bytes(), err
}

// payload is what every part of a profile has. Its id follows from its content.
func payload(kind, name string, data []byte) map[string]any {
	sum := sha256.Sum256(append([]byte(name+"\n"), data...))
	return map[string]any{"PayloadType": kind, "PayloadIdentifier": name, "PayloadVersion": 1,
		"PayloadUUID": strings.ToUpper(fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16]))}
}

// plist writes a value of JSON as a property list, keys in order.
func plist(b *bytes.Buffer, v any) error {
	text := func(tag, s string) error {
		fmt.Fprintf(b, "<%s>", tag)
		err := xml.EscapeText(b, []byte(s))
		fmt.Fprintf(b, "</%s>\n", tag)
		return err
	}
	switch v := v.(type) {
	case string:
		return text("string", v)
	case bool:
		fmt.Fprintf(b, "<%v/>\n", v)
	case int, float64:
		return text("integer", fmt.Sprint(v))
	case []any:
		b.WriteString("<array>\n")
		for _, e := range v {
			if err := plist(b, e); err != nil {
				return err
			}
		}
		b.WriteString("</array>\n")
	case map[string]any:
		b.WriteString("<dict>\n")
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if err := text("key", key); err != nil {
				return err
			}
			if err := plist(b, v[key]); err != nil {
				return err
			}
		}
		b.WriteString("</dict>\n")
	default:
		return fmt.Errorf("a property list cannot hold %T", v)
	}
	return nil
}

// registry is the policies of the agents that read the registry, in regedit's format.
func registry(files []ManagedFile) ([]byte, error) {
	text := "Windows Registry Editor Version 5.00\r\n"
	for _, f := range files {
		if f.known.Key == "" {
			continue
		}
		value := jsontext.Value(bytes.Clone(f.Data))
		if err := value.Compact(); err != nil {
			return nil, err
		}
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(string(value))
		text += fmt.Sprintf("\r\n[HKEY_LOCAL_MACHINE\\%s]\r\n\"%s\"=\"%s\"\r\n", f.known.Key, f.known.Value, quoted)
	}
	out := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return out, nil
}

// intune is a script that puts the files in their places.
func intune(files []ManagedFile) []byte {
	var b bytes.Buffer
	b.WriteString("$ErrorActionPreference = 'Stop'\r\n")
	for _, f := range files {
		fmt.Fprintf(&b, "$path = '%s'\r\nNew-Item -ItemType Directory -Force -Path (Split-Path $path) | Out-Null\r\n"+
			"[IO.File]::WriteAllBytes($path, [Convert]::FromBase64String('%s'))\r\n", f.Path, base64.StdEncoding.EncodeToString(f.Data))
	}
	return b.Bytes()
}
