package strict

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// alike is what looks like a character of ASCII, a line for each, which begins
// with it: small letters that look the same, capital ones, those that are
// near enough to be overlooked, and those with marks, raised, phonetic and the like.
// It has what is used to deceive; the list of Unicode has ten times as many.
const alike = "" +
	"aаɑ АΑᎪ α àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặɐᴀᵃₐªӑӓ\n" +
	"b ВΒᏴ в ḃḅḇƀɓʙᵇЬьƅᏏ\n" +
	"cсⅽς СᏟ  çćĉċčḉƈɕᴄᶜϲҫ\n" +
	"dԁⅾ ᗞ  ďđḋḍḏḑḓɖɗᴅᵈժᎠ\n" +
	"eе ЕΕᎬ ε èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệɛəᴇᵉₑёєҽℯℇ\n" +
	"f   ḟƒꜰᶠſϝք\n" +
	"gԍɡց ԌᏀ  ĝğġģǧǵḡɢᵍℊ\n" +
	"hһհ НΗᎻ н ĥħȟḣḥḧḩḫẖʜʰₕնℎ\n" +
	"iіıⅰι ІΙ  ìíîïĩīĭįǐȉȋḭḯỉịɩɪɨᵢⁱїاᎥℹ\n" +
	"jјյ ЈᎫ  ĵǰȷɉᴊʲⱼ\n" +
	"kкκ КΚᏦ  ķǩḱḳḵƙᴋᵏₖқӄ\n" +
	"lӏӀⅼℓ Ꮮ  ĺļľŀłḷḹḻḽɫɭʟˡₗ\n" +
	"mⅿ МΜᎷ м ḿṁṃɱᴍᵐₘ\n" +
	"nո Ν пη ñńņňŉǹṅṇṉṋɲɳŋɴⁿₙռ\n" +
	"oоοօ ОΟ  òóôõöøōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợɵɔᴏᵒₒºσӧ०০ℴ\n" +
	"pрρ РΡᏢ  ṕṗƥᴘᵖₚҏ\n" +
	"qԛզ Ԛ  ɋʠգ\n" +
	"r Ꭱ г ŕŗřȑȓṙṛṝṟɍɽʀʳᵣᏒ\n" +
	"sѕ ЅᏚ  śŝşšșṡṣṥṧṩʂꜱˢₛտ\n" +
	"tե ТΤᎢ тτ ţťŧțṫṭṯṱẗƭʈᴛᵗₜ\n" +
	"uυս   ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữựʉᴜᵘᵤцʋ\n" +
	"vѵⅴν Ꮩ  ṽṿᴠᵛᵥ\n" +
	"wԝ ԜᏔ  ŵẁẃẅẇẉẘɯᴡʷωѡաᎳ\n" +
	"xхⅹ ХΧ χ ẋẍˣₓҳ\n" +
	"yу УΥ γ ýÿŷȳẏẙỳỵỷỹƴʏʸўүყ\n" +
	"z ΖᏃ  źżžẑẓẕƶʐᴢᶻζ\n" +
	"-  ‐‑‒–—− \n" +
	"_  ‗﹍ \n"

// Likeness is how close a letter has to come to one of ASCII.
type Likeness int

// The fields of alike that count.
const (
	same, capital Likeness = 0, 1
	Near, Marked  Likeness = 2, 3
)

// find looks a character up: the one of ASCII and how close it comes, 0 if there is none.
func find(r rune) (ascii rune, how Likeness) {
	for line := range strings.Lines(alike) {
		how = same
		for _, other := range line[1:] {
			switch other {
			case ' ':
				how++
			case r:
				return rune(line[0]), how
			}
		}
	}
	return 0, 0
}

// Alike is the letter or the sign of ASCII that a character looks like,
// 0 if there is none.
func Alike(r rune) rune {
	if r < utf8.RuneSelf {
		return 0
	}
	if plain := alphabet(r); plain != r {
		return plain
	}
	switch ascii, how := find(r); how {
	case same:
		return ascii
	case capital:
		return unicode.ToUpper(ascii)
	}
	return 0
}

// Latin is the small letter of ASCII that a letter of any case is as close to as
// that, or else the letter itself, in small.
func Latin(r rune, least Likeness) rune {
	if r = unicode.ToLower(r); unicode.Is(unicode.Cherokee, r) {
		r = unicode.ToUpper(r) // these look like capitals
	}
	if r < utf8.RuneSelf {
		return r
	}
	if ascii, how := find(r); ascii != 0 && how <= least {
		return ascii
	}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		if f < utf8.RuneSelf { // the Kelvin sign and the long s
			return unicode.ToLower(f)
		}
	}
	return r
}

// alphabet takes a character back from the alphabets that Unicode has beside
// ASCII's own.
func alphabet(r rune) rune {
	switch {
	case r >= '！' && r <= '～': // wide
		return r - '！' + '!'
	case r >= 0x1D400 && r < 0x1D6A4: // mathematical, 13 times 26 capitals and 26 small letters
		if n := (r - 0x1D400) % 52; n >= 26 {
			return 'a' + n - 26
		} else {
			return 'A' + n
		}
	case r >= 0x1D7CE && r <= 0x1D7FF:
		return '0' + (r-0x1D7CE)%10
	case r >= 'Ⓐ' && r <= 'ⓩ':
		return 'a' + (r-'Ⓐ')%26
	}
	return r
}

// Undisguised takes a character back from the disguises that Unicode has for
// ASCII. It is -1 for one that cannot be seen, or stands for several.
func Undisguised(r rune) rune {
	switch {
	case r >= 0x249C && r <= 0x24B5: // in brackets
		return 'a' + r - 0x249C
	case r >= 0x1F110 && r <= 0x1F189: // in brackets, squares and discs, 26 in 32
		if r = (r - 0x1F110) % 32; r > 25 {
			return -1
		}
		return r + 'a'
	case r >= 0x1F1E6 && r <= 0x1F1FF: // regional indicators
		return 'a' + r - 0x1F1E6
	case r >= 0xE0020 && r <= 0xE007E: // tags
		return -1
	}
	return alphabet(r)
}
