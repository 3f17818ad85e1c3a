"""ReFrame's settings for this machine alone; a site has its own, with its partitions."""

site_configuration = {
    "systems": [
        {
            "name": "here",
            "hostnames": [".*"],
            "partitions": [
                {
                    "name": "default",
                    "scheduler": "local",
                    "launcher": "mpiexec",
                    "environs": ["builtin"],
                }
            ],
        }
    ],
}
