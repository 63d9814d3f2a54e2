"""The engines that do tasks, such as scoring shards. They work in this process, or in several."""
