"""Reports: notebooks run with parameters, pages that open without network, metrics that repeat byte for byte."""
