/* Runs compute shaders on a Vulkan device that is a processor, such as lavapipe, and prints what they leave in a buffer.

   runner MODULE.spv...  Each module has an entry point "main" with 64 invocations a workgroup, and a storage buffer of 256 words at
   set 0, binding 0. A line is printed for each: the FNV-1a hash of the words. Exit 3: there is no such device. */
#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

#define WORDS 256
#define GROUP 64
#define CHECK(call)                                            \
    do {                                                       \
        VkResult result = (call);                              \
        if (result != VK_SUCCESS) {                            \
            fprintf(stderr, "%s: VkResult %d\n", #call, result); \
            exit(2);                                           \
        }                                                      \
    } while (0)

static VkPhysicalDevice processor(VkInstance instance) {
    VkPhysicalDevice devices[16];
    uint32_t count = 16;
    vkEnumeratePhysicalDevices(instance, &count, devices);
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) return devices[i];
    }
    fprintf(stderr, "no Vulkan device is a processor\n");
    exit(3);
}

static uint32_t *mapped(VkPhysicalDevice physical, VkDevice device, VkBuffer buffer) {
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, buffer, &needs);
    VkPhysicalDeviceMemoryProperties has;
    vkGetPhysicalDeviceMemoryProperties(physical, &has);
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1) || (has.memoryTypes[type].propertyFlags & wanted) != wanted) type++;
    VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, needs.size, type};
    VkDeviceMemory memory;
    CHECK(vkAllocateMemory(device, &info, NULL, &memory));
    CHECK(vkBindBufferMemory(device, buffer, memory, 0));
    void *data;
    CHECK(vkMapMemory(device, memory, 0, WORDS * 4, 0, &data));
    return data;
}

static VkPipeline pipeline_of(VkDevice device, VkPipelineLayout layout, const char *path) {
    static uint32_t words[1 << 18];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    size_t size = fread(words, 1, sizeof words, file);
    fclose(file);
    VkShaderModuleCreateInfo code = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, size, words};
    VkShaderModule module;
    CHECK(vkCreateShaderModule(device, &code, NULL, &module));
    VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.layout = layout;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = "main";
    VkPipeline pipeline;
    CHECK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyShaderModule(device, module, NULL);
    return pipeline;
}

int main(int count, char **arguments) {
    VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = VK_API_VERSION_1_1;
    VkInstanceCreateInfo instance_info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    instance_info.pApplicationInfo = &application;
    VkInstance instance;
    CHECK(vkCreateInstance(&instance_info, NULL, &instance));
    VkPhysicalDevice physical = processor(instance);
    float priority = 1;
    VkDeviceQueueCreateInfo queue_info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, 0, 1, &priority};
    VkDeviceCreateInfo device_info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    device_info.queueCreateInfoCount = 1;
    device_info.pQueueCreateInfos = &queue_info;
    VkDevice device;
    CHECK(vkCreateDevice(physical, &device_info, NULL, &device));
    VkQueue queue;
    vkGetDeviceQueue(device, 0, 0, &queue);

    VkBufferCreateInfo buffer_info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    buffer_info.size = WORDS * 4;
    buffer_info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    VkBuffer buffer;
    CHECK(vkCreateBuffer(device, &buffer_info, NULL, &buffer));
    uint32_t *words = mapped(physical, device, buffer);

    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    VkDescriptorSetLayoutCreateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 1, &binding};
    VkDescriptorSetLayout set_layout;
    CHECK(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set_layout));
    VkPipelineLayoutCreateInfo layout_info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &set_layout, 0, NULL};
    VkPipelineLayout layout;
    CHECK(vkCreatePipelineLayout(device, &layout_info, NULL, &layout));
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 1, &size};
    VkDescriptorPool pool;
    CHECK(vkCreateDescriptorPool(device, &pool_info, NULL, &pool));
    VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, pool, 1, &set_layout};
    VkDescriptorSet set;
    CHECK(vkAllocateDescriptorSets(device, &allocate, &set));
    VkDescriptorBufferInfo bound = {buffer, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet update = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    update.dstSet = set;
    update.descriptorCount = 1;
    update.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    update.pBufferInfo = &bound;
    vkUpdateDescriptorSets(device, 1, &update, 0, NULL);

    VkCommandPoolCreateInfo commands_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    commands_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    VkCommandPool command_pool;
    CHECK(vkCreateCommandPool(device, &commands_info, NULL, &command_pool));
    VkCommandBufferAllocateInfo buffers = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, command_pool, 0, 1};
    VkCommandBuffer commands;
    CHECK(vkAllocateCommandBuffers(device, &buffers, &commands));
    for (int at = 1; at < count; at++) {
        for (uint32_t i = 0; i < WORDS; i++) words[i] = (i * 2654435761u) >> 22;
        VkPipeline pipeline = pipeline_of(device, layout, arguments[at]);
        VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        CHECK(vkBeginCommandBuffer(commands, &begin));
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
        vkCmdDispatch(commands, WORDS / GROUP, 1, 1);
        CHECK(vkEndCommandBuffer(commands));
        VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
        submit.commandBufferCount = 1;
        submit.pCommandBuffers = &commands;
        CHECK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
        CHECK(vkQueueWaitIdle(queue));
        uint64_t hash = 14695981039346656037ull;
        for (uint32_t i = 0; i < WORDS; i++) hash = (hash ^ words[i]) * 1099511628211ull;
        printf("%016llx\n", (unsigned long long)hash);
        vkDestroyPipeline(device, pipeline, NULL);
    }
    return 0;
}
