package rpm

// The tags that we write, by the names that rpm gives them.
const (
	tagSignatures = 62 // regions
	tagImmutable  = 63
	tagI18NTable  = 100

	sigSHA1        = 269
	sigSHA256      = 273
	sigSize        = 1000
	sigMD5         = 1004
	sigPayloadSize = 1007

	tagName              = 1000
	tagVersion           = 1001
	tagRelease           = 1002
	tagSummary           = 1004
	tagDescription       = 1005
	tagBuildTime         = 1006
	tagBuildHost         = 1007
	tagSize              = 1009
	tagLicense           = 1014
	tagPackager          = 1015
	tagGroup             = 1016
	tagURL               = 1020
	tagOS                = 1021
	tagArch              = 1022
	tagFileSizes         = 1028
	tagFileModes         = 1030
	tagFileRdevs         = 1033
	tagFileTimes         = 1034
	tagFileDigests       = 1035
	tagFileLinks         = 1036
	tagFileFlags         = 1037
	tagFileUsers         = 1039
	tagFileGroups        = 1040
	tagSourceRPM         = 1044
	tagFileVerifyFlags   = 1045
	tagProvideName       = 1047
	tagRequireFlags      = 1048
	tagRequireName       = 1049
	tagRequireVersion    = 1050
	tagRPMVersion        = 1064
	tagFileDevices       = 1095
	tagFileInodes        = 1096
	tagFileLanguages     = 1097
	tagProvideFlags      = 1112
	tagProvideVersion    = 1113
	tagDirIndexes        = 1116
	tagBaseNames         = 1117
	tagDirNames          = 1118
	tagPayloadFormat     = 1124
	tagPayloadCompressor = 1125
	tagPayloadFlags      = 1126
	tagFileDigestAlgo    = 5011
	tagPayloadDigest     = 5092
	tagPayloadDigestAlgo = 5093
)

const (
	algorithmSHA256 = 8
	flagEqual       = 8
	flagLessEqual   = 2 | flagEqual
	flagRPMLib      = 1 << 24
	verifyAll       = -1
)
