#!/bin/sh
echo '{"reset":true}'
