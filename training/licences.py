"""Groups that no training of what ships may see."""

# Left out of every training: GPL, AGPL, LGPL, BUSL or SSPL code bases, and those whose licence is unclear.
EXCLUDED = {
    "pylint-dev/pylint", "hashicorp/terraform", "internetarchive/openlibrary", "redis/redis",
    "element-hq/element-web", "future-architect/vuls", "significant-gravitas/autogpt",
    "git/git", "koalaman/shellcheck", "syl20bnr/spacemacs", "major/mysqltuner-perl",
    "ethereum/go-ethereum", "twitter/anomalydetection", "cplusplus/draft",
}
